import HTTP
import QuickActions
import Shortcuts

extension Request {
    /// The JSON body.
    func json() throws(Failure) -> JSON {
        try requireBody(.malformedJSON)
        return try JSON(document: body)
    }

    /// - Parameter types: the accepted media types. A body without `Content-Type` is accepted, too.
    func requireContentType(_ types: [String]) throws(Failure) {
        guard let contentType = try mediaType else { return }
        guard types.contains(contentType) else {
            throw Failure(
                .unsupportedMediaType,
                "\(quoted(contentType)) is not supported here. Send the field Content-Type: \(types.joined(separator: " or ")).")
        }
    }

    /// Rejects an empty body, which `curl -d @FILE` sends if the file does not exist.
    func requireBody(_ code: Failure.Code) throws(Failure) {
        guard body.isEmpty else { return }
        throw Failure(code, "The body is empty. With curl, check that the file exists.")
    }

    /// The body's media type in lower case, without parameters; nil without `Content-Type`. Repeated fields are joined, so that they match
    /// no known type.
    /// - Throws: `unsupportedMediaType` for a body with a content coding (RFC 9110 section 15.5.16).
    var mediaType: String? {
        get throws(Failure) {
            if let coding = fields.combined("Content-Encoding"), coding.lowercased() != "identity" {
                throw Failure(.unsupportedMediaType, "The Content-Encoding \(quoted(coding)) is not supported. Send the body uncompressed.")
            }
            let types = fields.all("Content-Type").map { field in
                field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            return types.isEmpty ? nil : types.joined(separator: ", ")
        }
    }

    /// The media type for a text: `own` unless `Accept` prefers `text`. If `Accept` allows neither, it is `text` (RFC 9110 section 12.5.1
    /// permits that). Generated clients read only `text/…` as text, and those of openapi-generator accept only `application/problem+json`.
    func preferredType(_ own: String, orText text: String) -> String {
        Accept(fields).best(of: [own, text]) ?? text
    }
}
