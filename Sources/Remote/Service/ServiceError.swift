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
    func text(_ name: Text) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text.string
    }

    func integer(_ name: Text) -> Int64? {
        guard case .integer(let value)? = self[name] else { return nil }
        return value
    }

    func boolean(_ name: Text) -> Bool? {
        guard case .boolean(let value)? = self[name] else { return nil }
        return value
    }

    /// The elements of an array member; empty for another value.
    func elements(_ name: Text) -> [JSON] {
        guard case .array(let elements)? = self[name] else { return [] }
        return elements
    }
}
