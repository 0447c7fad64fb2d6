import QuickActions

/// Why a request failed. The code alone determines the HTTP status.
package struct Failure: Error, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        case malformedJSON = "malformed-json"
        case invalidVersion = "invalid-version"
        case invalidParameter = "invalid-parameter"
        case badRequest = "bad-request"
        case unauthenticated
        case forbidden
        case crossSite = "cross-site"
        case unknownApp = "unknown-app"
        case noShortcutSet = "no-shortcut-set"
        case unknownPreview = "unknown-preview"
        case unknownResource = "unknown-resource"
        case methodNotAllowed = "method-not-allowed"
        case notAcceptable = "not-acceptable"
        case unsupportedMediaType = "unsupported-media-type"
        case idReused = "id-reused"
        case conflict
        case candidateRunning = "candidate-running"
        case approvalMissing = "approval-missing"
        case preconditionFailed = "precondition-failed"
        case preconditionRequired = "precondition-required"
        case contentTooLarge = "content-too-large"
        case invalidDocument = "invalid-document"
        case quotaExceeded = "quota-exceeded"
        case tooManyRequests = "too-many-requests"
        case overloaded
        case storageUnavailable = "storage-unavailable"
        case internalError = "internal-error"
    }

    package let code: Code
    /// A sentence with the remedy, safe to send to the client.
    package let detail: String
    package let violations: [Violation]
    /// The internal cause, for the log only.
    package let cause: String?
    /// After how many seconds the same request may succeed; nil if unknown.
    package let retryAfter: Int?

    package init(_ code: Code, _ detail: String, violations: [Violation] = [], cause: String? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.detail = detail
        self.violations = violations
        self.cause = cause
        self.retryAfter = retryAfter
    }
}

extension Failure {
    package static func invalidDocument(_ violations: [Violation]) -> Failure {
        let count = violations.count == 1 ? "1 violation" : "\(violations.count) violations"
        return Failure(
            .invalidDocument, "The document has \(count). Correct the document and send it again.",
            violations: violations)
    }

    package static func invalidVersion(_ text: String) -> Failure {
        Failure(.invalidVersion, AppVersion.rule(for: text))
    }
}

extension JSON {
    /// Reads one JSON document strictly.
    /// - Parameter name: the name of the document in failures, such as the path of its file.
    package init(
        document bytes: [UInt8], named name: String = "The body", atMost maxValues: Int = JSONReader.maxValues
    ) throws(Failure) {
        do throws(JSONReader.ParseError) {
            self = try JSONReader.read(bytes, atMost: maxValues)
        } catch {
            throw Failure(error, of: name)
        }
    }
}

extension Failure {
    init(_ refusal: JSONReader.ParseError, of name: String) {
        let code: Code = if case .tooManyValues = refusal { .contentTooLarge } else { .malformedJSON }
        self.init(code, refusal.sentence(name))
    }
}

extension Failure {
    /// The failure for a stored value that this program cannot read.
    package static func corrupt(_ cause: String) -> Failure {
        Failure(
            .internalError, "The database has damaged data. The log has the cause.",
            cause: cause)
    }

    /// Reports any failure as an internal error: a caller cannot repair a stored document.
    package static func onStoredDocument<Value>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        do throws(Failure) {
            return try read()
        } catch {
            throw .corrupt(([error.detail] + error.violations.prefix(3).map(\.message)).joined(separator: " "))
        }
    }
}

/// Failures for resources that do not exist. The detail says where to look.
extension Failure {
    package static func unknownApp(_ id: AppID) -> Failure {
        Failure(.unknownApp, "There is no app \"\(id)\". Create it with PUT /admin/v1/apps/\(id).")
    }

    /// Does not mention what an owner could do, because clients that fetch menus see it too.
    /// - Parameter text: the path segment, which may be an invalid id.
    package static func unknownApp(named text: String) -> Failure {
        Failure(.unknownApp, "There is no app \(quoted(text)). Check the bundle identifier.")
    }

    package static func unknownRelease(_ id: AppBuild, of app: AppID) -> Failure {
        Failure(.unknownResource, "There is no release \(id) of \"\(app)\". List the releases with GET …/releases.")
    }

    /// - Parameter inEffect: the version at which the set in effect for `version` begins.
    package static func unknownSet(_ version: AppVersion, _ audience: Audience, inEffect: AppVersion?) -> Failure {
        let wayOut =
            inEffect.map { "The set in effect for \(version) starts at \($0). Use …/sets/\($0), or list the sets with GET …/sets." }
            ?? "List the sets with GET …/sets."
        return Failure(
            .unknownResource, "There is no set that starts at version \(version) for audience \"\(audience)\". \(wayOut)")
    }

    /// - Parameter below: the greatest lower version with a draft.
    package static func unknownDraft(_ version: AppVersion, _ audience: Audience, below: AppVersion?) -> Failure {
        let wayOut =
            below.map { "The nearest lower draft starts at \($0). Use …/sets/\($0)/draft, or save a draft with PUT …/draft." }
            ?? "Save a draft with PUT …/draft."
        return Failure(
            .unknownResource, "There is no draft for version \(version) and audience \"\(audience)\". \(wayOut)")
    }

    package static func unknownScheduleEntry(_ id: ScheduleID, of app: AppID) -> Failure {
        Failure(
            .unknownResource,
            "There is no entry \(quoted(id.description)) in the schedule of \"\(app)\". It may have run already. List the entries with GET "
                + "…/schedule."
        )
    }

    /// - Parameter text: the path segment, which may not be a number.
    package static func unknownRevision(_ text: String, of app: AppID) -> Failure {
        Failure(.unknownResource, "There is no revision \(quoted(text)) of \"\(app)\". List the revisions with GET …/revisions.")
    }

    package static func unknownToken(_ id: TokenID) -> Failure {
        Failure(.unknownResource, "There is no token \(quoted(id.description)). List the tokens with GET /admin/v1/tokens.")
    }

    package static func unknownEndpoint(_ id: EndpointID) -> Failure {
        Failure(.unknownResource, "There is no webhook \(quoted(id.description)). List the webhooks with GET /admin/v1/webhooks.")
    }

    package static func unknownDelivery(_ id: DeliveryID) -> Failure {
        Failure(
            .unknownResource,
            "There is no delivery \(quoted(id.description)). List the deliveries of a webhook with GET /admin/v1/webhooks/{id}/deliveries.")
    }
}

/// A rule that a document breaks, with the path.
package struct Violation: Hashable, Sendable {
    /// `items[1].title.en`; empty for the document itself.
    package let path: String
    package let code: String
    /// A sentence with the value and the remedy.
    package let message: String

    package init(path: String, code: String, message: String) {
        self.path = path
        self.code = code
        self.message = message
    }

    package var json: JSON {
        ["path": .string(path), "code": .string(code), "message": .string(message)]
    }
}
