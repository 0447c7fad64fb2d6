import HTTP

/// What a listener serves.
package struct Application: Sendable {
    package let router: Router
    /// The answer from memory, if there is one. Called on an event loop: it must not block or allocate.
    package let remembered: @Sendable (RequestHead, UnsafeRawBufferPointer) -> PreparedAnswer?
    /// The answer where no route is.
    package let unrouted: @Sendable (Router.Match, Request) -> Response
    package let observer: any ServerObserver

    package init(
        router: Router,
        remembered: @escaping @Sendable (RequestHead, UnsafeRawBufferPointer) -> PreparedAnswer?,
        unrouted: @escaping @Sendable (Router.Match, Request) -> Response,
        observer: any ServerObserver
    ) {
        self.router = router
        self.remembered = remembered
        self.unrouted = unrouted
        self.observer = observer
    }
}

/// Who is told what the server does. Called on event loops and workers, often: it must be quick.
package protocol ServerObserver: Sendable {
    /// An answer from memory was given.
    func remembered(status: Int, nanoseconds: UInt64)
    /// - Parameter route: nil where none matched.
    func answered(_ request: Request, route: String?, status: Int, nanoseconds: UInt64)
    /// What arrived was no request, and was answered with `status`.
    func refused(status: Int, detail: String, peerAddress: String)
}
