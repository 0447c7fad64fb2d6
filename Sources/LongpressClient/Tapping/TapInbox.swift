/// Tells the taps that are new from those that were handed over before.
///
/// The system, and an app that passes on what it got, hand a tap over more than once: a cold one while the scene is configured and again
/// while it connects; any one through two delegates. It is the same tap
///
/// - if it is the same object, however it comes;
/// - if the scene session that is connecting has handed over an equal one since it was last disconnected: a connection brings one tap;
/// - if it is performed before a scene that connected with an equal one has become active: nobody can have tapped again.
///
/// A value without clock and user interface; `Longpress` holds it on the main actor.
package struct TapInbox {
    /// How the system handed a tap over.
    package enum Handover: Sendable, Hashable {
        /// With the options of a connection, by the session's persistent identifier: while it was configured or while it connected.
        case connecting(session: String)
        /// To a scene, or an app without scenes, that runs already.
        case performing
    }

    private struct Connection {
        let tap: QuickActionTap
        var hasBeenActive = false
    }

    /// So many objects are held, so that no later one gets the address of one of them.
    private static let mostHeld = 16

    private var connections: [String: Connection] = [:]
    private var held: [AnyObject] = []

    package init() {}

    /// - Parameter object: what the system handed over.
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

    /// A scene has become active: what is performed from now on is a tap of its own.
    package mutating func activated(session: String) {
        connections[session]?.hasBeenActive = true
    }

    /// A scene was disconnected: what its session connects with next is a tap of its own.
    package mutating func disconnected(session: String) {
        connections[session] = nil
    }
}

extension QuickActionTap {
    fileprivate func isEqual(to other: Self) -> Bool {
        type == other.type && userInfo == other.userInfo
    }
}
