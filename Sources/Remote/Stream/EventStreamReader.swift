import QuickActions

/// Reads `text/event-stream` (WHATWG HTML section 9.2.6) from pieces of any size.
package struct EventStreamReader {
    package struct Event: Sendable, Equatable {
        package var name = "message"
        package var data = ""
        /// The last received id; nil before the first.
        package var id: String?
    }

    /// Protects the memory from a server that never ends a line.
    private static let limit = 1 << 20

    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var isFirstLine = true
    private var name = ""
    private var data: [String] = []
    package private(set) var lastID: String?
    /// The stream's reconnection time in milliseconds; nil if it has not sent one.
    package private(set) var retry: Int?

    package init() {}

    /// The events that these bytes complete.
    /// - Throws: if a line or an event is larger than Longpress sends.
    package mutating func receive(_ bytes: [UInt8]) throws(RemoteFailure) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            let isFeedOfReturn = endsWithReturn && byte == 0x0A
            endsWithReturn = byte == 0x0D
            if isFeedOfReturn { continue }
            if byte == 0x0A || byte == 0x0D {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
                guard line.count <= Self.limit else {
                    throw RemoteFailure("The stream has a line of more than 1 MiB, so it is not a stream from Longpress.")
                }
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        var text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if isFirstLine, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        isFirstLine = false
        guard !text.isEmpty else { return dispatch() }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : ""
        if value.hasPrefix(" ") { value = value.dropFirst() }
        switch parts[0] {
        case "event": name = String(value)
        case "data": if data.count < 1000 { data.append(String(value)) }
        case "id": if !value.unicodeScalars.contains("\0") { lastID = String(value) }
        case "retry": if value.utf8.allSatisfy(\.isASCIIDigit) { retry = Int(value) }
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer { (name, data) = ("", []) }
        guard !data.isEmpty else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"), id: lastID)
    }
}
