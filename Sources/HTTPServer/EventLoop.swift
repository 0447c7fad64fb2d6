import Dispatch
import Glibc
import HTTP

/// One event loop: an epoll set, itself watched by one Dispatch source, whose handler drains what is ready until nothing is.
///
/// Everything is touched on `queue` only, but for `workers`, which guards itself.
final class EventLoop: @unchecked Sendable {
    struct Deadlines {
        let header: UInt64
        let body: UInt64
        let idle: UInt64
        let write: UInt64
        let linger: UInt64

        init(_ configuration: HTTPServer.Configuration) {
            header = configuration.headerTimeout.nanoseconds
            body = configuration.bodyTimeout.nanoseconds
            idle = configuration.idleTimeout.nanoseconds
            write = configuration.writeTimeout.nanoseconds
            linger = configuration.lingerTimeout.nanoseconds
        }
    }

    let queue: DispatchQueue
    let workers: WorkerPool
    let deadlines: Deadlines
    let limits: RequestParser.Limits
    let makeRequestID: @Sendable () -> String
    /// Where every connection reads into; what is not taken at once is copied.
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    /// Where answers are put together; sent, and emptied, before the next connection's turn.
    var output: [UInt8] = []
    /// The parser of heads that come whole.
    var parser: RequestParser
    private(set) var now = monotonicNanoseconds()

    private let readiness: Readiness
    private let connectionLimit: Int
    private var source: (any DispatchSourceRead)?
    private var sweeper: (any DispatchSourceTimer)?
    private var sockets: [SharedDescriptor] = []
    private var listeners: [Int32: Application] = [:]
    private var connections: [Int32: Connection] = [:]
    private var isAccepting = true
    private var isDraining = false
    private var date: [UInt8] = []
    private var dateSecond = -1

    init(
        number: Int, configuration: HTTPServer.Configuration, workers: WorkerPool, makeRequestID: @escaping @Sendable () -> String
    ) throws(SystemError) {
        queue = DispatchQueue(label: "longpress.loop.\(number)", qos: .userInitiated)
        self.workers = workers
        self.makeRequestID = makeRequestID
        deadlines = Deadlines(configuration)
        limits = configuration.limits
        parser = RequestParser(limits: configuration.limits)
        connectionLimit = max(1, configuration.connectionLimit / max(1, configuration.eventLoops))
        readiness = try Readiness()
        output.reserveCapacity(256 << 10)
    }

    deinit {
        input.deallocate()
    }

    /// Before `start`.
    func listen(on socket: consuming Descriptor) {
        sockets.append(SharedDescriptor(socket))
    }

    func start(serving applications: [Application]) throws(SystemError) {
        for (socket, application) in zip(sockets, applications) {
            listeners[socket.descriptor.number] = application
            try readiness.add(socket.descriptor.number, .readable)
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: readiness.set.number, queue: queue)
        source.setEventHandler { [unowned self] in self.turn() }
        source.activate()
        self.source = source
        let sweeper = DispatchSource.makeTimerSource(queue: queue)
        sweeper.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100), leeway: .milliseconds(50))
        sweeper.setEventHandler { [unowned self] in self.sweep() }
        sweeper.activate()
        self.sweeper = sweeper
    }

    var connectionCount: Int { queue.sync { connections.count } }

    /// Stops listening, closes what is idle and lets the rest finish.
    func drain() {
        queue.sync {
            isDraining = true
            for number in listeners.keys { try? readiness.remove(number) }
            listeners = [:]
            sockets = []
            for connection in Array(connections.values) { connection.drain() }
        }
    }

    /// Closes what is left. Dispatch lets go of the epoll set before it is closed.
    func stop() {
        let cancelled = DispatchGroup()
        queue.sync {
            for connection in Array(connections.values) { connection.close() }
            for source in [source, sweeper].compactMap({ $0 as (any DispatchSourceProtocol)? }) {
                cancelled.enter()
                source.setCancelHandler { cancelled.leave() }
                source.cancel()
            }
        }
        cancelled.wait()
    }

    /// Takes the time.
    @discardableResult
    func tick() -> UInt64 {
        now = monotonicNanoseconds()
        return now
    }
}

// MARK: - Turns

extension EventLoop {
    /// Drains what is ready; after so many rounds others on the queue get their turn, and the source fires again.
    private func turn() {
        for _ in 0..<64 {
            tick()
            let count = readiness.poll { number, events in
                if let connection = connections[number] {
                    connection.ready(events)
                } else if listeners[number] != nil {
                    accept(from: number)
                }
            }
            if count == 0 { return }
        }
    }

    private func accept(from listener: Int32) {
        guard let application = listeners[listener] else { return }
        for _ in 0..<64 {
            guard connections.count < connectionLimit else { return pauseAccepting() }
            do throws(SystemError) {
                guard let accepted = try Sockets.accept(from: listener) else { return }
                let connection = accepted.connection(serving: application, on: self)
                let number = connection.socket.number
                try readiness.add(number, .readable)
                connections[number] = connection
            } catch {
                // EMFILE and its like: those who wait stay in the kernel's queue until a descriptor is free.
                return pauseAccepting()
            }
        }
    }

    private func pauseAccepting() {
        guard isAccepting else { return }
        isAccepting = false
        for number in listeners.keys { try? readiness.modify(number, []) }
    }

    private func resumeAccepting() {
        guard !isAccepting, connections.count < connectionLimit else { return }
        isAccepting = true
        for number in listeners.keys { try? readiness.modify(number, .readable) }
    }

    /// Cuts off whoever is late.
    private func sweep() {
        tick()
        for connection in Array(connections.values) where connection.deadline <= now { connection.expire() }
        resumeAccepting()
    }

    func forget(_ connection: Connection) {
        try? readiness.remove(connection.socket.number)
        connections[connection.socket.number] = nil
        resumeAccepting()
    }

    func watch(_ connection: Connection, _ events: Readiness.Events) {
        try? readiness.modify(connection.socket.number, events)
    }
}

// MARK: - Answers

extension EventLoop {
    /// An answer from memory with the date of now, 304 where the client has the bytes.
    /// - Returns: the status.
    func append(_ answer: PreparedAnswer, for head: RequestHead, in bytes: UnsafeRawBufferPointer) -> Int {
        let encoded = head.has(answer.etag, in: bytes) ? answer.notModified : answer.ok
        let start = output.count
        if head.isHead(bytes) {
            output.append(contentsOf: encoded.bytes[..<encoded.headLength])
        } else {
            output.append(contentsOf: encoded.bytes)
        }
        refreshDate()
        let place = start + encoded.dateOffset
        output.replaceSubrange(place..<(place + date.count), with: date)
        return encoded.status
    }

    func append(_ response: Response, keepsAlive: Bool, isOldClient: Bool, withoutBody: Bool) {
        refreshDate()
        output.append(
            contentsOf: ResponseEncoder(date: date).head(response, keepsAlive: keepsAlive, isOldClient: isOldClient))
        if !withoutBody { output.append(contentsOf: response.body) }
    }

    func append(_ text: StaticString) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private func refreshDate() {
        let second = wallClockSeconds()
        guard second != dateSecond else { return }
        dateSecond = second
        date = HTTPDate.bytes(second)
    }
}

/// A descriptor in an array, which cannot hold what cannot be copied.
final class SharedDescriptor {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }
}
