import QuickActions
import Shortcuts

/// Events in the format of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
    /// The time after which a client comes back, in milliseconds.
    static let retry = Array("retry: 3000\n\n".utf8)

    static func event(_ name: String, id: StreamPosition, data: JSON) -> [UInt8] {
        // JSON has no line feed outside of strings, and strings escape theirs: the data is one line.
        Array("id: \(id)\nevent: \(name)\ndata: ".utf8) + data.encoded + Array("\n\n".utf8)
    }

    /// The apps' revisions at a position.
    /// - Parameter isResync: whether the client's last event is not known, so that it may have missed anything.
    static func state(_ revisions: [AppID: Int64], at position: StreamPosition, isResync: Bool) -> [UInt8] {
        let apps = revisions.sorted { $0.key < $1.key }.map { app, revision in
            JSON.Member(Text(app.description), ["revision": .integer(revision)])
        }
        let data: JSON = ["apps": .object(apps), "resync": isResync ? true : nil]
        return event("state", id: position, data: data)
    }
}

extension EventText {
    /// The last event of a stream of the admin plane. It has no id: nothing of the journal is told.
    static func ended(_ reason: String) -> String {
        let data: JSON = ["reason": .string(reason)]
        return "event: ended\ndata: \(String(decoding: data.encoded, as: UTF8.self))\n\n"
    }
}

extension StreamEntry {
    func text(at address: PublicAddress) -> [UInt8] { EventText.event(event, id: position, data: json(at: address)) }
}
