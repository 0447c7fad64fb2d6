import QuickActions

/// A flaw that does not prevent a publish.
package struct Warning: Hashable, Sendable {
    /// See `Violation.path`.
    package let path: String
    package let code: String
    package let message: String
    /// Together with the code, this identifies the warning independent of indices and wording: an item's id, a release.
    let subject: [String]
    /// False if the published set has the same warning.
    package let isNew: Bool

    init(path: DocumentPath, code: String, about subject: [String], message: String, isNew: Bool = true) {
        self.path = path.description
        self.code = code
        self.message = message
        self.subject = subject
        self.isNew = isNew
    }

    private init(_ warning: Warning, isNew: Bool) {
        (path, code, message, subject) = (warning.path, warning.code, warning.message, warning.subject)
        self.isNew = isNew
    }

    package var json: JSON {
        ["path": .string(path), "code": .string(code), "message": .string(message), "new": .boolean(isNew)]
    }

    private func identity(without release: AppBuild?) -> [String] {
        [code] + subject.filter { $0 != release?.description }
    }

    /// Marks each warning as new unless an old one has the same code and subject.
    static func marked(_ found: [Warning], newSince old: [Warning]) -> [Warning] {
        marked(found, on: nil, newSince: old, on: nil)
    }

    /// The same for warnings of two releases: the releases' own ids do not matter.
    static func marked(_ found: [Warning], on release: AppBuild?, newSince old: [Warning], on other: AppBuild?) -> [Warning] {
        let known = Set(old.map { $0.identity(without: other) })
        return found.map { Warning($0, isNew: !known.contains($0.identity(without: release))) }
    }
}
