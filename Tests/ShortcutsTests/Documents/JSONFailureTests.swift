import QuickActions
import Testing

@testable import Shortcuts

@Suite struct JSONFailureTests {
    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 1, "malformed-json: f is not valid UTF-8. Save the JSON as UTF-8."),
            (Array("[1,\n x]".utf8), 9, "malformed-json: f is not JSON: at line 2, column 2, expected a value."),
            (Array("[1,2]".utf8), 2, "content-too-large: f has more than 2 values. Split it."),
        ] as [([UInt8], Int, String)])
    func `failures name the document`(bytes: [UInt8], most: Int, said: String) throws {
        let failure = try #require(failure { try JSON(document: bytes, named: "f", atMost: most) })
        #expect("\(failure.code.rawValue): \(failure.detail)" == said)
    }
}
