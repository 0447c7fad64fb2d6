import QuickActions

/// Something a publish went ahead in spite of.
package struct Warning: Hashable, Sendable {
    /// As a violation's.
    package let path: String
    package let code: String
    package let message: String
    /// What it is about, apart from where that stands in the document and from how the sentence goes: an item's id, a release.
    let subject: [String]
    /// Whether what stands does not have it.
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

    /// Marked with whether one of the others, those of what stands, is the same.
    func beside(_ standing: [Warning]) -> Warning {
        Warning(self, isNew: !standing.contains { $0.code == code && $0.subject == subject })
    }
}
