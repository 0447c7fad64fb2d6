import Testing

@testable import HTTP

@Suite struct ConditionalTests {
    @Test(arguments: [
        ("\"a\"", "a", false), ("W/\"a\"", "a", true), ("\"\"", "", false), ("\"a,b\\\"", "a,b\\", false), ("\"é\"", "é", false),
    ])
    func `reads entity tags`(_ text: String, _ opaque: String, _ isWeak: Bool) {
        let tag = EntityTag(text)
        #expect(tag?.opaque == opaque && tag?.isWeak == isWeak && tag?.description == text)
    }

    @Test(arguments: ["", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/a", "\"a b\"", "\"a\"b\"", "\"a\" ", "*"])
    func `refuses invalid entity tags`(_ text: String) { #expect(EntityTag(text) == nil) }

    @Test(
        arguments: [
            ("\"1\"", .holds), ("\"2\"", .fails), ("W/\"1\"", .fails), ("\"2\", \"1\"", .holds), ("*", .holds), ("1", .malformed),
            ("\"1\", *", .malformed), ("", .malformed), ("\"1\" \"2\"", .malformed),
        ] as [(String, Precondition.Verdict)])
    func `evaluates If-Match strongly`(_ value: String, _ verdict: Precondition.Verdict) {
        #expect(Precondition.ifMatch(["If-Match": value], current: EntityTag(opaque: "1")) == verdict)
    }

    @Test(
        arguments: [
            ("\"1\"", .fails), ("\"2\"", .holds), ("W/\"1\"", .fails), ("\"2\" , , W/\"1\"", .fails), ("*", .fails), ("1", .malformed),
            ("\"a,1\"", .holds), ("\"1\",W/\"a b\"", .malformed), ("\"2\" \"1\"", .malformed), (",*", .malformed),
        ] as [(String, Precondition.Verdict)])
    func `evaluates If-None-Match weakly`(_ value: String, _ verdict: Precondition.Verdict) {
        #expect(Precondition.ifNoneMatch(["if-none-match": value], current: EntityTag(opaque: "1")) == verdict)
        #expect(EntityTag.isListed(Array("\"1\"".utf8).span, in: Array(value.utf8).span) == (verdict == .fails))
    }

    @Test func `evaluates preconditions without a representation`() {
        #expect(Precondition.ifMatch(["If-Match": "*"], current: nil) == .fails)
        #expect(Precondition.ifNoneMatch(["If-None-Match": "*"], current: nil) == .holds)
        #expect(Precondition.ifMatch([:], current: nil) == .absent)
        #expect(EntityTag(opaque: "a\"b\r\n").description == "\"ab\"")
    }

    @Test func `joins repeated fields`() {
        var fields: Fields = ["If-None-Match": "\"2\""]
        fields.append("IF-NONE-MATCH", "\"1\"")
        #expect(Precondition.ifNoneMatch(fields, current: EntityTag(opaque: "1")) == .fails)
    }
}
