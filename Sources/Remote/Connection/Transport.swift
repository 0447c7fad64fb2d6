import Foundation

/// A request to a service.
package struct RemoteRequest: Sendable {
    package var method: String
    package var url: URL
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]?
    /// How long to wait without receiving data, in seconds.
    package var timeout: Int
    /// The maximum size of the body, in bytes.
    package var limit: Int
}

/// The parts of an answer, in this order: one head, then its body in any number of parts, without content coding.
package enum ResponsePart: Sendable {
    case head(ResponseHead)
    case body([UInt8])
}

package struct ResponseHead: Sendable {
    package let status: Int
    /// In lower case, without parameters; empty if absent.
    package let mediaType: String
    /// The target of a redirect.
    package let location: String?
    /// The field `ETag`, with its quotes.
    package let entityTag: String?
    /// The field `Longpress-Base`: the revision that a draft or a scheduled set was made from, 0 for none.
    package let base: String?

    package init(status: Int, contentType: String?, location: String?, entityTag: String?, base: String?) {
        self.status = status
        mediaType = (contentType ?? "").split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? ""
        self.location = location
        self.entityTag = entityTag
        self.base = base
    }
}

/// Sends requests. TLS is verified. Redirects are never followed, so that the token is not sent to another address.
package protocol Transport: Sendable {
    /// Blocks until the answer is complete, or until `receive` throws, which ends the transfer.
    func send(_ request: RemoteRequest, receive: (ResponsePart) throws(RemoteFailure) -> Void) throws(RemoteFailure)
}

extension RemoteFailure {
    /// - Parameter limit: in bytes.
    package static func tooLarge(_ limit: Int) -> RemoteFailure {
        RemoteFailure("The answer has more than \(limit >> 20) MiB, which is more than Longpress sends.")
    }

    /// The failure without an answer.
    package static func unreachable(_ url: URL, _ reason: String) -> RemoteFailure {
        let port = url.port.map { ":\($0)" } ?? ""
        let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        return RemoteFailure("\(url.scheme ?? "https")://\(url.host ?? "")\(port) cannot be reached: \(reason).", isOfConnection: true)
    }
}
