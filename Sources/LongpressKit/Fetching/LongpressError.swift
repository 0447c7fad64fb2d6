public import Foundation

/// Why a refresh failed. The client keeps the known menu.
public enum LongpressError: Error, Sendable, Hashable {
    /// `Longpress` was used before `configure`.
    case notConfigured
    /// The configuration cannot be used. The text names the value and its rule.
    case invalidConfiguration(String)
    /// There was no response. The text is the transport's error.
    case unreachable(String)
    /// The response has this unexpected status.
    case status(Int)
    /// The response is longer than 1 MiB, or 16 MiB for the bundle.
    case tooLarge
    /// The response is not an answer of Longpress. It may be the page of a captive portal. The text says what is wrong.
    case invalidResponse(String)
    /// The response is for another app or another version.
    case wrongMenu(app: String, version: String)
    /// The response has this schema. This version of the library reads schema 1 only.
    case unsupportedSchema(Int64)
    /// The client made no request, because the last one failed. It makes the next one after this time.
    case backingOff(until: Date)
    /// The calling task was cancelled.
    case cancelled
}

extension LongpressError: LocalizedError {
    /// A sentence in English, for logs and for developers.
    public var errorDescription: String? {
        switch self {
        case .notConfigured: "Longpress is not configured. Call configure first."
        case .invalidConfiguration(let what): "The configuration cannot be used. \(what)"
        case .unreachable(let why): "The service did not answer: \(why)"
        case .status(let status): "The service answered with the status \(status)."
        case .tooLarge: "The response is too long."
        case .invalidResponse(let what): "The response is not an answer of Longpress: \(what)."
        case .wrongMenu(let app, let version): "The response is for version \(version) of \(app)."
        case .unsupportedSchema(let schema): "The response has schema \(schema). This version of LongpressKit reads schema 1."
        case .backingOff(let until): "The last request failed. The next one is made after \(until.ISO8601Format())."
        case .cancelled: "The task was cancelled."
        }
    }
}
