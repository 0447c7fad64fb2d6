import QuickActions

/// The requests for approval of a draft, or for changes. A save ends the review.
package struct DraftReview: Sendable {
    package enum State: String, CaseIterable, Sendable {
        /// Nobody asked for a review since the last save.
        case editing
        /// An editor asked for approval.
        case requested
        /// A reviewer asked for changes.
        case changes
        /// As many people as the app requires have approved the draft.
        case approved
    }

    /// Who asked, when, and why.
    package struct Note: Sendable {
        package let by: String
        package let owner: TokenOwner
        package let at: Timestamp
        package let comment: RevisionMessage?

        package init(by: String, owner: TokenOwner, at: Timestamp, comment: RevisionMessage?) {
            (self.by, self.owner, self.at, self.comment) = (by, owner, at, comment)
        }
    }

    /// The comments of a report, also those before the last save.
    package static let maxComments = 20

    package private(set) var request: Note?
    package private(set) var changes: Note?

    package static let none = DraftReview()

    package init(request: Note? = nil, changes: Note? = nil) {
        (self.request, self.changes) = (request, changes)
    }

    package var isEmpty: Bool { request == nil && changes == nil }

    /// The review after somebody asked for approval or for changes.
    package func after(_ document: DraftReviewDocument.Request, by author: Author) -> DraftReview {
        let note = Note(by: author.token, owner: author.person, at: author.at, comment: document.comment)
        return document.asksForChanges ? DraftReview(request: request, changes: note) : DraftReview(request: note)
    }

    /// The review after the author approved the draft: the author's own wish for changes ends.
    package func approved(by author: Author) -> DraftReview {
        changes?.owner == author.person ? DraftReview(request: request) : self
    }
}

extension Draft {
    /// - Parameter needed: the approvals that the app requires.
    package func reviewState(needing needed: Int64) -> DraftReview.State {
        if review.changes != nil { return .changes }
        if consents >= max(1, Int(clamping: needed)) { return .approved }
        return review.request == nil ? .editing : .requested
    }

    /// `{"state", "comment", "by", "at"}`: the state, and the request that led to it. All but `state` are null without a request.
    package func reviewSummary(needing needed: Int64) -> JSON {
        let state = reviewState(needing: needed)
        let note: DraftReview.Note? =
            switch state {
            case .changes: review.changes
            case .requested: review.request
            case .editing, .approved: nil
            }
        return [
            "state": .string(state.rawValue), "comment": .optional(note?.comment), "by": .optional(note?.by),
            "at": .optional(note?.at),
        ]
    }
}

/// The body of `POST …/draft/review`: `{"state", "comment"?}`.
package struct DraftReviewDocument {
    package struct Request: Sendable {
        package let asksForChanges: Bool
        package let comment: RevisionMessage?
    }

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> Request {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["state", "comment"])
        let asksForChanges = document?.required("state") { json, path -> Bool? in
            checker.parsed(json, at: path, "state-unknown", { "\(quoted($0)) is not a request. Use requested or changes." }) { text in
                [DraftReview.State.requested.rawValue: false, DraftReview.State.changes.rawValue: true][text]
            }
        }
        let comment = document?.optional("comment", checker.revisionMessage)
        try checker.finish()
        guard let asksForChanges else { throw .invalidDocument([]) }
        return Request(asksForChanges: asksForChanges, comment: comment)
    }
}

/// The state of a draft's review, and who can end it.
package struct DraftReviewReport: Sendable {
    package let draft: Draft
    /// The approvals that the app requires.
    package let needed: Int64
    /// The names of the reader and of tokens, as far as they may still approve the draft, at most `maxNames`. The reader comes first.
    package let mayApprove: [String]
    /// Since the draft was last published, scheduled or deleted, oldest first.
    package let comments: [DraftReview.Note]

    package static let maxNames = 20

    package init(draft: Draft, needed: Int64, mayApprove: [String], comments: [DraftReview.Note]) {
        (self.draft, self.needed, self.mayApprove, self.comments) = (draft, needed, mayApprove, comments)
    }

    package var json: JSON {
        draft.reviewSummary(needing: needed).adding(
            membersOf: [
                "approvals": .array(draft.approvals.map(\.summary)), "required": .integer(needed), "savedBy": .string(draft.savedBy),
                "savedAt": .string(draft.savedAt), "mayApprove": .array(mayApprove.map { .string(Text($0)) }),
                "incomplete": .boolean(draft.incomplete != nil),
                "comments": .array(comments.map { ["by": .string(Text($0.by)), "at": .string($0.at), "comment": .optional($0.comment)] }),
            ])
    }
}
