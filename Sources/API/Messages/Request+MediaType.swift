import HTTP
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

    /// Under which of its names a text is sent: the one that `Accept` prefers, the first where it names none of them (RFC 9110
    /// section 12.5.1 allows to disregard it). Many generated clients read nothing but `text/…` as text.
    func preferredType(of names: [String]) -> String {
        Accept(fields).best(of: names) ?? names.first ?? "application/octet-stream"
    }
}
