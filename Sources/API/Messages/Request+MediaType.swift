import HTTP
import QuickActions
import Shortcuts

extension Request {
    /// The body's media type in lower case without parameters; nil where none is named. Where two fields name one, it is none of
    /// ours, whichever stands first.
    /// - Throws: `unsupportedMediaType` for a coded body, which would be read as it is (RFC 9110 section 15.5.16).
    var mediaType: String? {
        get throws(Failure) {
            if let coding = fields.combined("Content-Encoding"), coding.lowercased() != "identity" {
                throw Failure(.unsupportedMediaType, "Bodies coded as \(quoted(coding)) are not understood here. Send it as it is.")
            }
            let types = fields.all("Content-Type").map { field in
                field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            return types.isEmpty ? nil : types.joined(separator: ", ")
        }
    }

    /// Under which of its two names a text is sent: its own unless `Accept` prefers `text`, and `text` where it names neither
    /// (RFC 9110 section 12.5.1 allows to disregard it). Generated clients read nothing but `text/…` as text, and those of
    /// openapi-generator ask for `application/problem+json` alone.
    func preferredType(_ own: String, orText text: String) -> String {
        Accept(fields).best(of: [own, text]) ?? text
    }
}
