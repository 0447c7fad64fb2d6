/// Why a command against a service, or on the files of a tree, failed: sentences with the value and the remedy, one a line.
package struct RemoteFailure: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// What the service answered, where it was the service that refused.
    package let refusal: ServiceRefusal?
    /// Whether it is the connection that failed: the same may do another time.
    package let isOfConnection: Bool

    package init(_ sentence: String, refusal: ServiceRefusal? = nil, isOfConnection: Bool = false) {
        description = sentence
        self.refusal = refusal
        self.isOfConnection = isOfConnection
    }

    /// Several sentences, which are told together.
    package init(_ sentences: [String]) {
        self.init(sentences.joined(separator: "\n"))
    }
}
