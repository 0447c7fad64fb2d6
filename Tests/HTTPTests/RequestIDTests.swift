import Testing

@testable import HTTP

@Suite struct RequestIDTests {
    @Test func `made ids are 16 hexadecimal digits and differ`() {
        var ids = RequestID(seed: 7)
        var seen: Set<[UInt8]> = []
        for _ in 0..<1000 {
            ids.renew()
            #expect(ids.bytes.count == 16 && ids.bytes.allSatisfy { ByteClass.hexadecimal.contains($0) && !(65...90 ~= $0) })
            seen.insert(ids.bytes)
        }
        #expect(seen.count == 1000)
    }

    @Test(
        arguments: [
            ("a", true), ("0123456789abcdef", true), ("A.b_c-9", true), (String(repeating: "x", count: 128), true),
            (String(repeating: "x", count: 129), false), ("", false), ("a b", false), ("a\"b", false), ("a~", false), ("a,b", false),
            ("é", false), ("a/b", false),
        ])
    func `an id of a proxy is taken over where it is plain and short`(_ id: String, _ isAcceptable: Bool) {
        #expect(RequestID.isAcceptable(Array(id.utf8).span) == isAcceptable)
    }

    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let field = "00-\(trace)-00f067aa0ba902b7-01"

    @Test(
        arguments: [
            (field, true), (field.replacing("-01", with: "-00"), true), ("cc" + field.dropFirst(2), true),
            ("cc" + field.dropFirst(2) + "-what-comes-later", true), (field + "-more", false), ("cc" + field.dropFirst(2) + "x", false),
            ("ff" + field.dropFirst(2), false), (field.uppercased(), false), (String(field.dropLast()), false), ("", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false), ("00-\(trace)-0000000000000000-01", false),
            ("00-\(trace)_00f067aa0ba902b7-01", false), (field.replacing("4736", with: "473g"), false),
        ] as [(String, Bool)])
    func `a trace is taken over where its field is valid`(_ field: String, _ isValid: Bool) throws {
        let valid = TraceParent.valid(Array(field.utf8).span)
        #expect(valid == (isValid ? "00" + field.dropFirst(2).prefix(53) : nil))
    }
}
