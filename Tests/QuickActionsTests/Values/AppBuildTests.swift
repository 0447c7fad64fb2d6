import Testing

@testable import QuickActions

@Suite struct AppBuildTests {
    @Test(arguments: [
        ("512", "512"), ("0512", "512"), ("1.2", "1.2"), ("1.2.0", "1.2"), ("1.0.0", "1"), ("0", "0"), ("1.0.3", "1.0.3"),
        ("20260131.0930", "20260131.930"),
    ])
    func `writes a build without leading zeros and trailing .0`(text: String, canonical: String) {
        #expect(BuildNumber(text)?.description == canonical)
    }

    @Test(arguments: [("2.1+512", "2.1.0+512"), ("2.01+05.0", "2.1.0+5"), ("2", "2.0.0")])
    func `reads a version with its build`(text: String, canonical: String) {
        #expect(AppBuild(text)?.description == canonical)
    }

    @Test(arguments: ["2.1+", "+5", "2.1+5+6", "2.1+x", "2.1 + 5", "", "+", "2.1+-5", "2.1+\u{301}5"])
    func `refuses half a build`(text: String) {
        #expect(AppBuild(text) == nil)
    }

    @Test(arguments: [
        ("2.1+5", "2.1+4", true), ("2.1+5", "2.1+5", false), ("2.1+5", "2.1", false), ("2.1", "2.1+5", false),
        ("2.2+1", "2.1+900", true), ("2.1+900", "2.2+1", false), ("2.2", "2.1+9", true), ("2.1+1.10", "2.1+1.9", true),
    ])
    func `compares builds only where both sides name one`(left: String, right: String, isAbove: Bool) throws {
        #expect(try build(left).isAbove(try build(right)) == isAbove)
    }

    @Test func `sorts a missing build first between releases`() throws {
        let sorted = try ["2.1+10", "2.0+99", "2.1", "2.1+9", "2.2"].map(build).sorted(by: AppBuild.releaseOrder)
        #expect(sorted.map(\.description) == ["2.0.0+99", "2.1.0", "2.1.0+9", "2.1.0+10", "2.2.0"])
    }
}
