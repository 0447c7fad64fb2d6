/// Detects taps that are delivered more than once.
///
/// A cold tap arrives while its scene is configured and again while it connects, and an app may pass on any tap from two delegates. A tap
/// is a duplicate if
///
/// - it is the same object as an earlier one;
/// - its scene session connects with it, and has already connected with an equal tap since it was last disconnected, because a connection
///   has at most one tap;
/// - it is performed before a scene that connected with an equal tap has become active, because nobody can have tapped again by then.
///
/// It needs no clock and no user interface. `Longpress` uses it on the main actor.
package struct TapInbox {
    /// How a tap was delivered.
    package enum Handover: Sendable, Hashable {
        /// With the connection options of the session with this persistent identifier, while it is configured or while it connects.
        case connecting(session: String)
        /// To a connected scene, or to an app without scenes.
        case performing
    }

    private struct Connection {
        let tap: QuickActionTap
        var hasBeenActive = false
    }

    /// The number of objects that are retained for comparison; a retained object's address is not reused.
    private static let mostHeld = 16

    private var connections: [String: Connection] = [:]
    private var held: [AnyObject] = []

    package init() {}

    /// - Parameter object: the system's object, compared by identity.
    /// - Returns: whether the tap is new.
    package mutating func isNew(_ tap: QuickActionTap, _ object: AnyObject, by handover: Handover) -> Bool {
        let wasHeld = held.contains { $0 === object }
        if !wasHeld {
            held.append(object)
            if held.count > Self.mostHeld { held.removeFirst() }
        }
        switch handover {
        case .connecting(let session):
            if let connection = connections[session], connection.tap.isEqual(to: tap) { return false }
            connections[session] = Connection(tap: tap)
            return !wasHeld
        case .performing:
            return !wasHeld && !connections.values.contains { !$0.hasBeenActive && $0.tap.isEqual(to: tap) }
        }
    }

    /// A scene has become active. A tap that is performed from here on is new.
    package mutating func activated(session: String) {
        connections[session]?.hasBeenActive = true
    }

    /// A scene was disconnected. The next tap that its session connects with is new.
    package mutating func disconnected(session: String) {
        connections[session] = nil
    }
}

extension QuickActionTap {
    fileprivate func isEqual(to other: Self) -> Bool {
        type == other.type && userInfo == other.userInfo
    }
}
