import QuickActions

/// The roll-outs of sets.
extension RemoteService {
    package func rollout(of set: SetAddress) throws(RemoteFailure) -> JSON { try json(call("GET", set)) }

    /// The set's running roll-out with its counts. If none runs, the last one.
    package func rolloutResult(of set: SetAddress) throws(RemoteFailure) -> JSON { try json(call("GET", set, "/result")) }

    /// - Parameter patch: a merge patch of `{"share", "steps", "guard"}`.
    package func changeRollout(of set: SetAddress, _ patch: JSON) throws(RemoteFailure) -> JSON {
        try answer(call("PATCH", set, body: patch)).json
    }

    /// - Parameters:
    ///   - how: `promote` or `stop`.
    ///   - at: nil for now.
    package func endRollout(of set: SetAddress, _ how: String, at: Timestamp?, message: String?) throws(RemoteFailure) -> Answer {
        try answer(call("POST", set, "/\(how)", body: ["at": at.map { .string($0) }, "message": message.map { .string($0) }]))
    }

    private func call(_ method: String, _ set: SetAddress, _ path: String = "", body: JSON? = nil) -> Call {
        Call(
            method: method, path: set.path + "/candidate" + path, query: set.query, body: body?.encoded,
            remedy: "Start a roll-out with longpress publish \(set) --share PERCENT.")
    }
}
