import Testing

@testable import Remote

/// WHATWG HTML section 9.2.6.
@Suite struct `An event stream` {
    private typealias Event = EventStreamReader.Event

    private static let text = """
        \u{FEFF}retry: 3000

        : a comment
        id: a.1
        event: state
        data: {"apps":{}}

        data: one
        data:two
        data:  three
        id

        event: nothing

        id: b\u{0}
        data
        unknown: x

        event: cut off
        data: x

        """

    private static let events = [
        Event(name: "state", data: #"{"apps":{}}"#, id: "a.1"), Event(name: "message", data: "one\ntwo\n three", id: ""),
        Event(name: "message", data: "", id: ""),
    ]

    @Test(arguments: ["\n", "\r\n", "\r"], [1, 2, 3, 7, 1000])
    func `is read in whatever pieces it comes, with any end of line`(_ end: String, _ size: Int) throws {
        let bytes = Array(Self.text.replacing("\n", with: end).utf8)
        var reader = EventStreamReader()
        var events: [Event] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try reader.receive(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(events == Self.events)
        #expect(reader.retry == 3000)
    }

    @Test func `without an end of line does not fill the memory`() throws {
        var reader = EventStreamReader()
        let part = [UInt8](repeating: 0x61, count: 1 << 16)
        #expect(throws: RemoteFailure.self) { for _ in 0..<32 { _ = try reader.receive(part) } }
    }
}
