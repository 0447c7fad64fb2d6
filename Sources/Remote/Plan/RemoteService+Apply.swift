import Foundation
import QuickActions

extension RemoteService {
    /// The limit of the service, in bytes.
    private static let applyLimit = 64 << 20

    /// Requests the changes without writing them, app by app.
    /// - Throws: the errors of all apps, with the names of the tree's files.
    package func plan(_ application: Application, of tree: MenuTree) throws(RemoteFailure) -> PlannedChanges {
        var (answers, failures): ([PlannedChanges], [RemoteFailure]) = ([], [])
        for part in application.perApp {
            do throws(RemoteFailure) {
                answers.append(
                    try progress.showing("Comparing \(part.names) with \(address) …") { () throws(RemoteFailure) in
                        try patiently { () throws(RemoteFailure) in try apply(part, dryRun: true) }
                    })
            } catch {
                guard let refusal = error.refusal, refusal.status < 500, refusal.status != 401 else { throw error }
                failures.append(error.naming(filesOf: tree))
            }
        }
        if let only = failures.first, failures.count == 1 { throw only }
        guard failures.isEmpty else { throw RemoteFailure(failures.map(\.description)) }
        return PlannedChanges(answers)
    }

    /// Applies the apps one after another, each wholly or not at all.
    /// - Parameters:
    ///   - tree: names the files in errors; nil for a plan without its tree.
    ///   - reason: why missing approvals are bypassed; nil to require them.
    /// - Throws: the error of the first app that fails. The apps before it stay applied, and are listed.
    package func apply(
        _ application: Application, of tree: MenuTree?, overriding reason: String?
    ) throws(RemoteFailure) -> PlannedChanges {
        var answers: [PlannedChanges] = []
        for part in application.perApp {
            do throws(RemoteFailure) {
                answers.append(
                    try progress.showing("Applying \(part.names) to \(address) …") { () throws(RemoteFailure) in
                        try apply(part, overriding: reason)
                    })
            } catch {
                let failure = tree.map { error.naming(filesOf: $0) } ?? error
                guard application.perApp.count > 1 else { throw failure }
                throw failure.adding(application.perApp.report(failedAt: answers.count))
            }
        }
        return PlannedChanges(answers)
    }

    /// Applies one app.
    private func apply(_ application: Application, overriding reason: String?) throws(RemoteFailure) -> PlannedChanges {
        do throws(RemoteFailure) {
            return try patiently { () throws(RemoteFailure) in try apply(application, dryRun: false, overriding: reason) }
        } catch {
            // A plan is applied again after a failure of a later app: this app already is as planned.
            guard application.base != nil, error.refusal?.status == 412 else { throw error }
            let left = try patiently { () throws(RemoteFailure) in try apply(application.withoutBase, dryRun: true) }
            guard left.isEmpty else { throw error }
            return left
        }
    }

    /// Repeats a request that a limit of the service rejects, for up to a minute.
    private func patiently(_ request: () throws(RemoteFailure) -> PlannedChanges) throws(RemoteFailure) -> PlannedChanges {
        for _ in 0..<60 {
            do throws(RemoteFailure) {
                return try request()
            } catch {
                guard error.refusal?.status == 429 else { throw error }
                usleep(1_000_000)
            }
        }
        return try request()
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

extension Application {
    fileprivate var names: String { apps.members.map(\.name.string).joined(separator: ", ") }
}

extension [Application] {
    /// Which apps were applied before the failure, and how to continue.
    fileprivate func report(failedAt place: Int) -> String {
        let applied = prefix(place).map(\.names)
        let rest = count - place - 1
        return "\(self[place].names) was not applied. "
            + (applied.isEmpty ? "No app was applied. " : "Applied before it: \(applied.joined(separator: ", ")). ")
            + (rest == 0 ? "" : "\(counted(rest, "app")) after it \(rest == 1 ? "was" : "were") not tried. ")
            + "Run the command again to continue."
    }
}

extension RemoteFailure {
    fileprivate func adding(_ sentence: String) -> RemoteFailure {
        RemoteFailure("\(description)\n\(sentence)", refusal: refusal, isOfConnection: isOfConnection)
    }

    /// The same failure, with the names and paths of the tree's files in place of paths in the request.
    package func naming(filesOf tree: MenuTree) -> RemoteFailure {
        guard let refusal, !refusal.violations.isEmpty else { return self }
        var sentences = refusal.violations.map { $0.sentence(in: tree) }
        if refusal.violations.contains(where: { $0.code == "conflict" }) {
            sentences.append("Nothing was applied. Decide with --use-git SET or --use-live SET. longpress plan shows both sides.")
        }
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
