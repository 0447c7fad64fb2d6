import QuickActions

/// A problem (RFC 9457) in an answer of the service.
package struct ServiceError: Sendable {
    package let status: Int
    /// `precondition-failed`
    package let code: String
    package let detail: String
    package let violations: [Finding]

    /// Nil if the body is not a problem of Longpress.
    init?(status: Int, _ body: [UInt8]) {
        guard let json = try? JSONReader.read(body), case .string(let type)? = json["type"], case .string(let detail)? = json["detail"],
            type.string.hasPrefix("/problems/")
        else { return nil }
        self.status = status
        code = String(type.string.dropFirst("/problems/".count))
        self.detail = detail.string
        violations = json.elements("violations").compactMap(Finding.init)
    }
}

extension ServiceError {
    static let appRemedy = "longpress app list lists the apps."

    /// The detail without its sentences about requests (`Save a draft with PUT …/draft.`), which are for users of the API.
    /// - Parameter remedy: what to do if there is no such resource.
    func detail(withRemedy remedy: String) -> String {
        let sentences = detail.split(separator: ". ")
        let plain = sentences.filter { sentence in
            !["GET", "PUT", "POST", "PATCH", "DELETE"].contains { sentence.contains("\($0) /") || sentence.contains("\($0) …/") }
        }
        guard !plain.isEmpty, plain.count < sentences.count else { return detail }
        let text = plain.joined(separator: ". ") + (plain.last == sentences.last ? "" : ".")
        switch code {
        case "unknown-app": return "\(text) \(Self.appRemedy)"
        case "unknown-resource": return "\(text) \(remedy)"
        default: return text
        }
    }
}

/// A violation or a warning that the service found in a document.
package struct Finding: Sendable, Equatable {
    /// `items[1].title.en`; empty for the document itself.
    package let path: String
    package let code: String
    package let message: String
    /// False if the published state already has it. Violations are always new.
    package let isNew: Bool
    /// In a release check, the set that it is about.
    package let set: SetName?

    init(path: String, code: String, message: String, isNew: Bool = true, set: SetName? = nil) {
        self.set = set
        self.path = path
        self.code = code
        self.message = message
        self.isNew = isNew
    }

    package init?(_ json: JSON) {
        guard let path = json.text("path"), let code = json.text("code"), let message = json.text("message") else { return nil }
        self.init(
            path: path, code: code, message: message, isNew: json.boolean("new") ?? true, set: json.text("set").flatMap { SetName($0) })
    }

    package var json: JSON {
        ["path": .string(path), "code": .string(code), "message": .string(message), "set": set.map { .string($0.description) }]
    }

    /// The message, preceded by its path unless it begins with the path.
    package var sentence: String { path.isEmpty || message.hasPrefix(path) ? message : "\(path): \(message)" }
}

extension JSON {
    package func text(_ name: Text) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text.string
    }

    package func integer(_ name: Text) -> Int64? {
        guard case .integer(let value)? = self[name] else { return nil }
        return value
    }

    package func boolean(_ name: Text) -> Bool? {
        guard case .boolean(let value)? = self[name] else { return nil }
        return value
    }

    /// The strings of an array member.
    package func texts(_ name: Text) -> [String] {
        elements(name).compactMap { element in
            if case .string(let text) = element { text.string } else { nil }
        }
    }

    /// The elements of an array member; empty for another value.
    package func elements(_ name: Text) -> [JSON] {
        guard case .array(let elements)? = self[name] else { return [] }
        return elements
    }
}
