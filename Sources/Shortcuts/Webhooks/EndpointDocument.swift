import QuickActions

/// The part of an endpoint's validation that depends on the delivery configuration.
package struct EndpointRules: Sendable {
    /// Parses and validates an endpoint's URL.
    package let readURL: @Sendable (_ text: String) throws(EndpointURL.ParseError) -> EndpointURL
    /// Validates custom header fields; the violations have the path `headers`.
    package let checkHeaders: @Sendable (_ headers: [Endpoint.Header]) -> [Violation]
    /// Generates a signing secret, `whsec_…`.
    package let makeSecret: @Sendable () -> String

    package init(
        readURL: @escaping @Sendable (_ text: String) throws(EndpointURL.ParseError) -> EndpointURL,
        checkHeaders: @escaping @Sendable (_ headers: [Endpoint.Header]) -> [Violation],
        makeSecret: @escaping @Sendable () -> String
    ) {
        self.readURL = readURL
        self.checkHeaders = checkHeaders
        self.makeSecret = makeSecret
    }
}

/// The body of a request to create an endpoint, or to change one by a merge patch (RFC 7396).
package struct EndpointDocument {
    private static let members: Set = ["url", "types", "apps", "description", "headers", "ordered", "enabled"]

    /// Only in a patch: whether missed deliveries are recovered in the same transaction.
    private static let recovery = "recover"

    private let json: JSON
    private let rules: EndpointRules

    package init(_ json: JSON, rules: EndpointRules) {
        self.json = json
        self.rules = rules
    }

    package func created(id: EndpointID, secret: String, at time: Timestamp) throws(Failure) -> Endpoint {
        let blank = Endpoint(id: id, url: EndpointURL(stored: ""), createdAt: time, secrets: SigningSecrets(current: secret))
        return try read(json, over: blank, known: Self.members, at: time)
    }

    /// Applies the document as a merge patch. Arrays are replaced as a whole; null means the default.
    ///
    /// A new origin (scheme, host, port) must not receive credentials that somebody else stored for the old one. So the patch must contain
    /// every header value again, and the endpoint gets a new secret.
    package func applied(to endpoint: Endpoint, at time: Timestamp) throws(Failure) -> Endpoint {
        guard case .object = json else {
            throw .invalidDocument([
                Violation(path: "", code: "type-mismatch", message: "The document is \(json.kind), but must be an object.")
            ])
        }
        let merged = endpoint.document.merging(json)
        var changed = try read(merged, over: endpoint, known: Self.members.union([Self.recovery]), at: time) { changed, checker in
            guard changed.url.origin != endpoint.url.origin else { return }
            for name in valuesToResend(of: endpoint) {
                checker.note(
                    "header-value-missing", at: .root[Text("headers")][name],
                    "The value of \(quoted(name.string)) is not sent to a new scheme, host or port until you set it again. Send the value, "
                        + "or remove the header field.")
            }
        }
        if changed.url.origin != endpoint.url.origin { changed.secrets = SigningSecrets(current: rules.makeSecret()) }
        return changed
    }

    /// The stored header fields that the patch does not change or sends as `redactedValue`.
    private func valuesToResend(of endpoint: Endpoint) -> [Text] {
        if case .null? = json["headers"] { return [] }
        let sent = json["headers"]?.members ?? []
        let redacted = sent.filter { member in
            if case .string(let value) = member.value { value.string == Endpoint.Header.redactedValue } else { false }
        }.map(\.name)
        // By the exact name, because a merge patch compares names exactly: "authorization" does not replace "Authorization".
        return endpoint.headers.map { Text($0.name) }.filter { name in !sent.contains { $0.name == name } } + redacted
    }

    /// Whether the document sets `enabled` to true, which also ends the pause of an enabled endpoint.
    package var isEnabling: Bool {
        switch json["enabled"] {
        case .boolean(true), .null: true
        default: false
        }
    }

    /// Whether the patch also recovers the exhausted and held deliveries.
    package var isRecovering: Bool {
        if case .boolean(true)? = json[Text(Self.recovery)] { true } else { false }
    }

    private func read(
        _ json: JSON, over endpoint: Endpoint, known: Set<String>, at time: Timestamp,
        further check: (Endpoint, DocumentChecker) -> Void = { _, _ in }
    ) throws(Failure) -> Endpoint {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: known)
        var changed = endpoint
        let url = document?.required("url", checker.string)
        // A stored URL is not validated again: the rules may have changed since.
        if let text = url?.string, text.isEmpty || text != endpoint.url.description {
            do throws(EndpointURL.ParseError) {
                changed.url = try rules.readURL(text)
            } catch {
                checker.note(Violation(path: "url", code: error.code.rawValue, message: error.message))
            }
        }
        changed.types = document?.optional("types") { json, path in checker.eventTypes(json, at: path, stored: endpoint.types ?? []) }
        changed.apps = document?.optional("apps", checker.appIDs)
        // An empty filter that is already stored does not prevent other changes.
        if json.hasEmptyArray("types"), endpoint.types?.isEmpty != true { checker.noteEmptyFilter("types") }
        if json.hasEmptyArray("apps"), endpoint.apps?.isEmpty != true { checker.noteEmptyFilter("apps") }
        changed.description = document?.string("description")?.string
        changed.headers =
            document?.optional("headers") { json, path in
                checker.headers(json, at: path, keeping: endpoint.headers)
            } ?? []
        checker.add(rules.checkHeaders(changed.headers.map { endpoint.hasValue(of: $0) ? .redacted($0.name) : $0 }))
        changed.ordered = document?.boolean("ordered") ?? false
        let enabled = document?.boolean("enabled") ?? true
        _ = document?.boolean(Self.recovery)
        check(changed, checker)
        try checker.finish()
        changed.setEnabled(enabled, at: time)
        return changed
    }
}

extension Endpoint {
    /// The endpoint's filter by apps, as a scope.
    package var scope: Scope { apps.map { .apps(Set($0)) } ?? .all }

    /// Enables or disables the endpoint on request. Enabling clears the reason.
    package mutating func setEnabled(_ enabled: Bool, at time: Timestamp) {
        if enabled {
            (disabledReason, disabledAt) = (nil, nil)
        } else if disabledReason == nil {
            (disabledReason, disabledAt) = (.operator, time)
        }
        self.enabled = enabled
    }

    /// Whether the field is stored with this value, which may be encrypted.
    fileprivate func hasValue(of header: Header) -> Bool {
        headers.contains { $0.name.lowercased() == header.name.lowercased() && $0.value == header.value }
    }

    /// The members that a patch may change.
    fileprivate var document: JSON {
        [
            "url": .string(url), "types": types.map { .array($0.map { .string($0.rawValue) }) } ?? .null,
            "apps": apps.map { .array($0.map { .string($0) }) } ?? .null, "description": .optional(description),
            "headers": .object(headers.map { JSON.Member(Text($0.name), .string($0.value)) }), "ordered": .boolean(ordered),
            "enabled": .boolean(enabled),
        ]
    }
}

extension DocumentChecker {
    package func add(_ more: [Violation]) {
        for violation in more { note(violation) }
    }

    fileprivate func noteEmptyFilter(_ name: Text) {
        note(
            "\(name)-empty", at: .root[name],
            "\(name) is empty, so no event would match. Leave it out for all \(name), or list at least one. To send no events, set enabled "
                + "to false.")
    }

    /// - Parameter stored: types that are accepted even if this program does not know them: a newer node may have stored them.
    fileprivate func eventTypes(_ json: JSON, at path: DocumentPath, stored: [EventType]) -> [EventType]? {
        guard let elements = array(json, at: path) else { return nil }
        var types: [EventType] = []
        for (index, element) in elements.enumerated() {
            guard let text = string(element, at: path[index]) else { continue }
            guard let type = EventType(known: text.string) ?? stored.first(where: { $0.rawValue == text.string }) else {
                note("type-unknown", at: path[index], EventType.rule(for: text.string))
                continue
            }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// - Parameter stored: the fields whose values `redactedValue` keeps.
    fileprivate func headers(
        _ json: JSON, at path: DocumentPath, keeping stored: [Endpoint.Header]
    ) -> [Endpoint.Header]? {
        guard case .object(let members) = json else {
            mismatch(json, at: path, wanted: "an object of header fields")
            return nil
        }
        var headers: [Endpoint.Header] = []
        for member in members {
            if case .null = member.value { continue }
            guard let value = string(member.value, at: path[member.name])?.string else { continue }
            let name = member.name.string
            guard value == Endpoint.Header.redactedValue else {
                headers.append(Endpoint.Header(name: name, value: value))
                continue
            }
            guard let kept = stored.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                note(
                    "header-value-missing", at: path[member.name],
                    "\"***\" means the stored value, but no value is stored for \(quoted(name)). Send the value itself.")
                continue
            }
            headers.append(Endpoint.Header(name: name, value: kept.value))
        }
        return headers
    }
}

/// The body of a recovery: `{"since"?}`, an RFC 3339 time. Without it, all deliveries are recovered.
package struct RecoveryDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> Timestamp? {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["since"])
        let since = document?.optional("since", checker.instant)
        try checker.finish()
        return since
    }
}

/// The body of a rotation: `{"overlap"?}`, the duration for which the previous secret still signs. The default is a day.
package struct SecretRotationDocument {
    fileprivate static let maxOverlap = Duration.seconds(30 * 24 * 3600)
    private static let defaultOverlap = Duration.seconds(24 * 3600)

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package func checked() throws(Failure) -> Duration {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["overlap"])
        let overlap = document?.optional("overlap", checker.overlap)
        try checker.finish()
        return overlap ?? Self.defaultOverlap
    }
}

extension DocumentChecker {
    fileprivate func overlap(_ json: JSON, at path: DocumentPath) -> Duration? {
        guard let text = string(json, at: path)?.string else { return nil }
        guard let overlap = Duration(text: text) else {
            note(
                "duration-invalid", at: path,
                "\(quoted(text)) is not a duration. Use a whole number with ms, s, m or h, for example 24h. The limit is 30 days, 720h; 0s "
                    + "makes the previous secret invalid at once.")
            return nil
        }
        guard overlap <= SecretRotationDocument.maxOverlap else {
            note("duration-too-long", at: path, "\(quoted(text)) is too long. Use at most 30 days, 720h.")
            return nil
        }
        return overlap
    }
}
