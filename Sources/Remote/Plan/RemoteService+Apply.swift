import QuickActions

extension RemoteService {
    /// The limit of the service, in bytes.
    private static let applyLimit = 64 << 20

    /// Requests the changes without writing them.
    package func plan(_ application: Application) throws(RemoteFailure) -> PlannedChanges {
        try progress.showing("Comparing with \(address) …") { () throws(RemoteFailure) in try apply(application, dryRun: true) }
    }

    /// Applies all changes or none.
    /// - Parameter reason: why missing approvals are bypassed; nil to require them.
    package func apply(_ application: Application, overriding reason: String?) throws(RemoteFailure) -> PlannedChanges {
        try progress.showing("Applying to \(address) …") { () throws(RemoteFailure) in
            try apply(application, dryRun: false, overriding: reason)
        }
    }

    func apply(_ application: Application, dryRun: Bool, overriding reason: String? = nil) throws(RemoteFailure) -> PlannedChanges {
        let body = application.document.encoded
        guard body.count <= Self.applyLimit else {
            throw RemoteFailure(
                "The tree has \(body.count >> 20) MiB, but the limit is \(Self.applyLimit >> 20) MiB. Apply one app at a time.")
        }
        var query = [("dryRun", "\(dryRun)")] + application.query
        if let reason { query.append(("override", reason)) }
        let answer = try json(Call(method: "POST", path: "/apply", query: query, body: body))
        guard let changes = PlannedChanges(answer) else { throw notLongpress("answered /apply, but the answer is not a list of changes") }
        return changes
    }
}

extension RemoteFailure {
    /// The same failure, with the names and paths of the tree's files in place of paths in the request.
    package func naming(filesOf tree: MenuTree) -> RemoteFailure {
        guard let refusal, !refusal.violations.isEmpty else { return self }
        let sentences = refusal.violations.map { $0.sentence(in: tree) }
        return RemoteFailure(sentences.joined(separator: "\n"), refusal: refusal)
    }
}

extension Finding {
    /// The sentence with the name of the tree's file and the path in that file, if the tree has the document.
    func sentence(in tree: MenuTree) -> String {
        guard let place = tree.place(of: path) else { return sentence }
        // The message may also contain the path in the request.
        let inFile = Finding(path: place.path, code: code, message: message.replacing(path, with: place.path))
        return "\(place.file.path): \(inFile.sentence)"
    }
}
