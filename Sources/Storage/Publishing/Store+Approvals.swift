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
                if draft.incomplete != nil { _ = try transaction.requireCompleteDraft(change, of: app) }
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

extension Store {
    package func review(of change: DraftChange, of app: AppID, by reader: Author) throws(Failure) -> DraftReviewReport {
        guard let draft = try draft(change.version, change.audience, of: app) else {
            let below = try self.draft(effectiveFor: change.version, change.audience, of: app)
            throw .unknownDraft(change.version, change.audience, below: below?.version)
        }
        return try database.read { connection throws(Failure) in try connection.review(of: draft, of: app, by: reader) }
    }

    package func review(
        _ change: DraftChange, _ request: DraftReviewDocument.Request, of app: AppID, by author: Author
    ) throws(Failure) -> DraftReviewReport {
        try write { transaction throws(Failure) in
            var draft = try transaction.requireDraft(change, of: app)
            try change.requireWriteCondition(draft)
            if !request.asksForChanges { _ = try transaction.requireCompleteDraft(change, of: app) }
            if request.asksForChanges { draft = draft.withoutApproval(by: author) }
            draft.review = draft.review.after(request, by: author)
            try transaction.connection.put(draft, of: app)
            try transaction.log(
                change, request.asksForChanges ? .changesRequested : .approvalRequested, of: app, by: author,
                AuditDetail(message: request.comment))
            let report = try transaction.connection.review(of: draft, of: app, by: author)
            try transaction.announce(transaction.announcer.reviewed(report, request, of: app, by: author))
            return report
        }
    }
}

extension SQLConnection {
    fileprivate func review(of draft: Draft, of app: AppID, by reader: Author) throws(Failure) -> DraftReviewReport {
        guard let needed = try self.app(app)?.approvals else { throw .unknownApp(app) }
        return DraftReviewReport(
            draft: draft, needed: needed, mayApprove: try approvers(of: draft, of: app, and: reader),
            comments: try reviewComments(on: draft, of: app))
    }

    /// The names of the reader and of tokens, as far as they may still approve the draft. The reader comes first.
    private func approvers(of draft: Draft, of app: AppID, and reader: Author) throws(Failure) -> [String] {
        guard !draft.editorIDs.isEmpty else { return [] }
        let editors = try origins(of: draft.editorIDs)
        var people = [reader]
        for token in try tokens(where: "(expires_at IS NULL OR expires_at > ?) ORDER BY name", [SQLValue(reader.at)])
        where token.id != reader.tokenID && token.scope.contains(app) {
            people.append(
                Author(
                    token: token.name, tokenID: token.id, owner: token.owner, role: token.role, address: "", request: "", at: reader.at))
        }
        var names: [String] = []
        for author in people where (author.role ?? .reader) >= .publisher && names.count < DraftReviewReport.maxNames {
            guard !draft.isApproved(by: author) else { continue }
            let makers = try author.tokenID.map { id throws(Failure) in try self.makers(of: id) } ?? []
            if (try? draft.requireApprover(author, editors: editors, makers: makers)) != nil { names.append(author.token) }
        }
        return names
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
