import QuickActions

extension JSON {
    /// Reads one JSON document strictly.
    /// - Parameter name: the name of the document in failures, such as the path of its file.
    package init(
        document bytes: [UInt8], named name: String = "The body", atMost maxValues: Int = JSONReader.maxValues
    ) throws(Failure) {
        do throws(JSONReader.Refusal) {
            self = try JSONReader.read(bytes, atMost: maxValues)
        } catch {
            throw Failure(error, of: name)
        }
    }
}

extension Failure {
    init(_ refusal: JSONReader.Refusal, of name: String) {
        switch refusal {
        case .notUTF8:
            self.init(.malformedJSON, "\(name) is not valid UTF-8. Save the JSON as UTF-8.")
        case .tooManyValues(let limit):
            self.init(.contentTooLarge, "The document has more than \(limit) values. Split it.")
        case .malformed(let line, let column, let what):
            self.init(.malformedJSON, "\(name) is not JSON: at line \(line), column \(column), \(what).")
        }
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
    static func onStoredDocument<Value>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
        do throws(Failure) {
            return try read()
        } catch {
            throw .corrupt(([error.detail] + error.violations.prefix(3).map(\.message)).joined(separator: " "))
        }
    }
}
