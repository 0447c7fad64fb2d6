import QuickActions
import Shortcuts

extension Store {
    package func approveDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) -> ApprovalCount {
        do throws(Failure) {
            return try write { transaction throws(Failure) in
                let draft = try transaction.requireDraft(change, of: app)
                let token = try draft.requireApprover(
                    author, editors: try transaction.connection.origins(of: draft.editorIDs),
                    makers: try author.tokenID.map { id throws(Failure) in try transaction.connection.makers(of: id) } ?? [])
                try change.requireWriteCondition(draft)
                let approved = draft.approved(by: token, author)
                if !draft.isApproved(by: author) {
                    try transaction.connection.put(approved, of: app)
                    try transaction.log(change, .draftApproved, of: app, by: author)
                }
                return ApprovalCount(given: approved.consents, needed: try transaction.requireApp(app).approvals)
            }
        } catch {
            guard error.code == .forbidden else { throw error }
            // The rejected approval was rolled back, so its audit entry needs another write.
            try write { transaction throws(Failure) in
                try transaction.log(change, .approvalRefused, of: app, by: author, AuditDetail(refusal: error.detail))
            }
            throw error
        }
    }

    package func withdrawApproval(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            _ = try transaction.requireApp(app)
            let draft = try transaction.connection.draft(change.version, change.audience, of: app)
            try change.requireWriteCondition(draft)
            guard let draft, draft.isApproved(by: author) else { return }
            try transaction.connection.put(draft.withoutApproval(by: author), of: app)
            try transaction.log(change, .approvalWithdrawn, of: app, by: author)
        }
    }
}

extension SQLValue {
    /// `["id", …]`
    init(editorIDs: [TokenID]) {
        self.init(utf8: JSON.strings(editorIDs).encoded)
    }

    /// `[{"id", "token", "owner", "at"}, …]`
    init(approvals: [Approval]) {
        self.init(utf8: JSON.array(approvals.map(\.json)).encoded)
    }
}

extension SQLRow {
    mutating func editorIDs() throws(Failure) -> [TokenID] {
        try elements().map { element throws(Failure) in
            guard case .string(let text) = element else { throw .corrupt("This is not the id of a token: \(element)") }
            return TokenID(text.string)
        }
    }

    mutating func approvals() throws(Failure) -> [Approval] {
        try elements().map { element throws(Failure) in
            guard let approval = Approval(stored: element) else { throw .corrupt("This is not an approval: \(element)") }
            return approval
        }
    }

    /// The elements of a JSON array.
    private mutating func elements() throws(Failure) -> [JSON] {
        let text = try text()
        guard case .array(let elements)? = try? JSON(document: Array(text.utf8)) else {
            throw .corrupt("\(quoted(text)) is not a JSON array.")
        }
        return elements
    }
}

extension Approval {
    fileprivate init?(stored json: JSON) {
        guard case .object(let members) = json, let id = members.text("id"), let token = members.text("token"),
            let at = members.text("at").flatMap({ Timestamp($0.string) })
        else { return nil }
        self.init(
            tokenID: TokenID(id.string), token: token.string, owner: members.text("owner").map { TokenOwner($0.string) }, at: at)
        unknown = UnknownMembers(members.filter { !["id", "token", "owner", "at"].contains($0.name.string) })
    }
}
