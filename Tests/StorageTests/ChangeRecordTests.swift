import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// The text with which a commit tells other nodes its changes.
struct ChangeRecordTests {
    @Test func `says what changed, and nothing of what is only this node's to log`() throws {
        let notes = try appID()
        #expect([Change.app(notes), .deliveries].record == #"{"apps":["com.example.notes"],"deliveries":true}"#)
        #expect([Change.app(notes), .stream(tag: "t1")].record == #"{"apps":["com.example.notes"],"stream":"t1"}"#)
        #expect([Change.endpoints(["b", "a"]), .schedule].record == #"{"endpoints":["a","b"],"schedule":true}"#)
        #expect([Change.credentials].record == #"{"credentials":true}"#)
        #expect([Change.notice(.endpointDisabled("a", .removed, by: nil))].record == nil)
    }

    @Test(arguments: [
        #"{"apps":["a.b","c.d"],"stream":"t","endpoints":["e"],"deliveries":true,"schedule":true,"credentials":true}"#,
        #"{"everything":true}"#,
    ])
    func `is read as what was written`(_ record: String) {
        #expect([Change](record: record)?.record == record)
    }

    @Test(arguments: [
        "", "{}", "[]", "apps", #"{"apps":[1]}"#, #"{"apps":["a b"]}"#, #"{"deliveries":false}"#, #"{"stream":1}"#, #"{"taps":true}"#,
    ])
    func `may mean anything where it is not understood`(_ text: String) {
        #expect([Change](.recorded([#"{"deliveries":true}"#, text])).record == #"{"everything":true}"#)
    }

    @Test func `is of several commits`() {
        let changes = [Change](.recorded([#"{"apps":["com.example.a"]}"#, #"{"apps":["com.example.b"],"schedule":true}"#]))
        #expect(changes.record == #"{"apps":["com.example.a","com.example.b"],"schedule":true}"#)
        #expect([Change](.unknown).record == #"{"everything":true}"#)
    }
}
