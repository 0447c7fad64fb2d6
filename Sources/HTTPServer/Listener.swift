import HTTP

/// A bound socket that listens. Closed with its last reference.
final class ListeningSocket: Sendable {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    var raw: Int32 { descriptor.raw }
}

/// A listening socket of one loop, with the handler of its connections.
final class Listener {
    private let socket: ListeningSocket
    let handler: any Handler
    /// The loop's own cache of the handler's answers.
    let cache: (any AnswerCache)?

    init(_ socket: ListeningSocket, _ handler: any Handler) {
        self.socket = socket
        self.handler = handler
        cache = handler.makeCache()
    }

    var raw: Int32 { socket.raw }
}
