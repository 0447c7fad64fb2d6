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
    fileprivate init(_ refusal: JSONReader.Refusal, of name: String) {
        switch refusal {
        case .notUTF8:
            self.init(.malformedJSON, "\(name) is not valid UTF-8. JSON is encoded as UTF-8.")
        case .tooManyValues(let limit):
            self.init(.contentTooLarge, "The document has more than \(limit) values. Send it in parts.")
        case .malformed(let line, let column, let what):
            self.init(.malformedJSON, "\(name) is not JSON: at line \(line), column \(column), \(what).")
        }
    }
}
