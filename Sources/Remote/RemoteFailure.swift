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

    /// Several sentences that are reported together.
    package init(_ sentences: [String]) {
        self.init(sentences.joined(separator: "\n"))
    }
}
