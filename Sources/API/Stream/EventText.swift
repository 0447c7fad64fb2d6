import QuickActions
import Shortcuts

/// Events in the format of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
    /// How long a client waits before it reconnects, in milliseconds.
    static let retry = Array("retry: 3000\n\n".utf8)

    static func event(_ name: String, id: StreamPosition, data: JSON) -> [UInt8] {
        // JSON has line feeds only inside strings, which escape them, so the data is one line.
        Array("id: \(id)\nevent: \(name)\ndata: ".utf8) + data.encoded + Array("\n\n".utf8)
    }

    /// The revisions of the apps at a position; null for an app that does not exist.
    /// - Parameter isResync: whether the client's last event is unknown, so that it may have missed any change.
    static func state(of names: [String], _ revisions: [AppID: Int64], at position: StreamPosition, isResync: Bool) -> [UInt8] {
        let apps = names.sorted().map { name in
            let revision = AppID(name).flatMap { revisions[$0] }
            return JSON.Member(Text(name), revision.map { ["revision": .integer($0)] } ?? .null)
        }
        let data: JSON = ["apps": .object(apps), "resync": isResync ? true : nil]
        return event("state", id: position, data: data)
    }

    /// For a client that resumes from a position: the app does not exist.
    static func deleted(_ name: String, at position: StreamPosition) -> [UInt8] {
        event("deleted", id: position, data: ["app": .string(name)])
    }
}

extension EventText {
    /// The last event of a stream of the admin plane. It has no id, because it is not part of the journal.
    static func ended(_ reason: String) -> String {
        let data: JSON = ["reason": .string(reason)]
        return "event: ended\ndata: \(String(decoding: data.encoded, as: UTF8.self))\n\n"
    }
}

extension StreamEntry {
    func text(at address: PublicAddress) -> [UInt8] { EventText.event(event, id: position, data: json(at: address)) }
}
