import CSystem

/// An epoll set (epoll(7), level-triggered).
struct Readiness: ~Copyable {
    struct Events: OptionSet {
        let rawValue: UInt32

        static let readable = Events(rawValue: UInt32(longpress_epoll_in))
        static let writable = Events(rawValue: UInt32(longpress_epoll_out))
        /// The peer has gone, or the socket has failed.
        static let gone = Events(rawValue: UInt32(longpress_epoll_gone))
    }

    let set: Descriptor
    private let ready: UnsafeMutableBufferPointer<longpress_ready>

    init() throws(SystemError) {
        set = Descriptor(try checked("epoll_create1", longpress_epoll_create()))
        ready = .allocate(capacity: 256)
    }

    deinit {
        ready.deallocate()
    }

    func add(_ descriptor: Int32, _ events: Events) throws(SystemError) {
        try control(longpress_epoll_add, descriptor, events)
    }

    func modify(_ descriptor: Int32, _ events: Events) throws(SystemError) {
        try control(longpress_epoll_modify, descriptor, events)
    }

    func remove(_ descriptor: Int32) throws(SystemError) {
        try control(longpress_epoll_remove, descriptor, [])
    }

    /// Hands over what is ready now, without waiting.
    /// - Returns: how many there were.
    func poll(_ handle: (Int32, Events) -> Void) -> Int {
        let count = Int(longpress_epoll_poll(set.number, ready.baseAddress, Int32(ready.count)))
        guard count > 0 else { return 0 }
        for index in 0..<count { handle(ready[index].descriptor, Events(rawValue: ready[index].events)) }
        return count
    }

    private func control(_ operation: Int, _ descriptor: Int32, _ events: Events) throws(SystemError) {
        try checked(
            "epoll_ctl", longpress_epoll_control(set.number, Int32(operation), descriptor, events.rawValue))
    }
}
