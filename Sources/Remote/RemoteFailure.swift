/// Why a command failed on a service or on the files of a tree: sentences with the value and the remedy, one a line.
package struct RemoteFailure: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// The answer of the service, if the service reported the error.
    package let refusal: ServiceError?
    /// Whether the connection failed. Then the same command may succeed later.
    package let isOfConnection: Bool

    package init(_ sentence: String, refusal: ServiceError? = nil, isOfConnection: Bool = false) {
        description = sentence
        self.refusal = refusal
        self.isOfConnection = isOfConnection
    }

    /// Replaces the service's text for some errors, which is for users of the API.
    /// - Parameter texts: by code of an error, such as `precondition-failed`, the text for a user of the command.
    package static func explaining<Result>(
        _ texts: [String: (ServiceError) -> String], _ work: () throws(RemoteFailure) -> Result
    ) throws(RemoteFailure) -> Result {
        do throws(RemoteFailure) {
            return try work()
        } catch {
            guard let refusal = error.refusal, let text = texts[refusal.code] else { throw error }
            throw RemoteFailure(text(refusal), refusal: refusal)
        }
    }

    /// Several sentences that are reported together.
    package init(_ sentences: [String]) {
        self.init(sentences.joined(separator: "\n"))
    }
}
