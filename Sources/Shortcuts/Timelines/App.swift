import QuickActions

/// An app: its bundle identifier, the language and URL that its sets fall back to, and the approvals that its drafts need.
package struct App: Hashable, Sendable {
    /// The numbers of approvals that an app may require.
    package static let approvalRange: ClosedRange<Int64> = 0...5

    package let id: AppID
    package let name: Text?
    package let defaultLanguage: LanguageTag
    package let fallbackURL: ActionURL?
    /// How many approvals a draft needs before it is published or scheduled: one of `approvalRange`.
    package let approvals: Int64

    package init(id: AppID, name: Text?, defaultLanguage: LanguageTag, fallbackURL: ActionURL?, approvals: Int64 = 0) {
        self.id = id
        self.name = name
        self.defaultLanguage = defaultLanguage
        self.fallbackURL = fallbackURL
        self.approvals = approvals
    }
}
