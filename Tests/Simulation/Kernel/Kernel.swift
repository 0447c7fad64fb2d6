import CKernel
import Glibc

/// One logical thread: a stack that runs until it waits or is interrupted at a scheduling point. All of them share one thread of the
/// system, so nothing outside the kernel decides their order.
public final class Fiber {
    public let number: Int
    public let name: String
    /// The simulated process that it belongs to; 0 for the world outside of the nodes.
    public let process: Int
    var stackPointer: UnsafeMutableRawPointer?
    var stack: UnsafeMutableRawPointer?
    var body: (() -> Void)?
    /// Counts its waits. A wake-up for an earlier wait has no effect.
    var wait = 0
    var isWaiting = false
    var isAlive = true
    var hasTimedOut = false
    /// For PCT; a larger one runs first.
    var priority: UInt64
    var reason: StaticString = "start"

    init(_ number: Int, _ name: String, _ process: Int, priority: UInt64, _ body: @escaping () -> Void) {
        (self.number, self.name, self.process, self.priority, self.body) = (number, name, process, priority, body)
    }
}

/// The threads that wait for one thing.
public final class WaitQueue {
    var waiting: [(fiber: Fiber, wait: Int)] = []

    public init() {}
}

/// How often an interrupted thread gets no processor for a while, although others may not need one.
public struct Pauses: Sendable {
    /// One in so many interruptions; 0 for none.
    public var oneIn = 0
    /// In nanoseconds.
    public var longest: Int64 = 0

    public init() {}
}

/// How the kernel picks among threads that can run.
public enum Picking: Sendable {
    case random
    /// Priorities at random, and this number of priority changes at random points (Burckhardt et al. 2010).
    case priorities(changes: Int)
}

final class KernelState {
    var now: Int64 = 0
    var current: Fiber?
    var ready: [Fiber] = []
    var frozen: [Int: [Fiber]] = [:]
    var skew: [Int: Int64] = [:]
    var fibers: [Int: [Fiber]] = [:]
    var spawned = 0
    var timers = TimerHeap()
    var scheduling = SeededRandom(0)
    var product = SeededRandom(0)
    var picking = Picking.random
    var changePoints: Set<Int> = []
    var lowest: UInt64 = 1 << 20
    /// Scheduling points are passed until the next interruption.
    var countdown = Int.max
    var interval = 100
    var pauses = Pauses()
    var decisions = 0
    var trace: UInt64 = 0
    var isTracing = false
    var lines: [String] = []
    var spareStacks: [UnsafeMutableRawPointer] = []
    var mainPointer: UnsafeMutableRawPointer?
    var ending: String?
    var decisionsAtSecond = 0
    var second: Int64 = 0
    var limit = Int.max
    var poll: ((Int32, Int16, Int64?) -> Int16)?
    var isRunning = false
}

nonisolated(unsafe) let state = KernelState()

private let stackSize = 1 << 20

public enum Kernel {
    /// Nanoseconds since the beginning of the simulation.
    public static var now: Int64 { state.now }
    public static var current: Fiber { state.current.unsafelyUnwrapped }
    public static var process: Int { state.current?.process ?? 0 }
    public static var decisions: Int { state.decisions }
    public static var traceHash: UInt64 { state.trace }
    public static var trace: [String] { state.lines }
    /// The nanoseconds of the wall clock at the beginning: 2026-01-01T00:00:00Z.
    public static let epoch: Int64 = 1_767_225_600_000_000_000

    /// - Parameters:
    ///   - interval: the average number of scheduling points between two interruptions.
    ///   - limit: the most decisions of a run.
    public static func prepare(seed: UInt64, _ picking: Picking, interval: Int, _ pauses: Pauses, isTracing: Bool, limit: Int) {
        state.scheduling = SeededRandom(SeededRandom.mix(seed ^ 0x5343_4845))
        state.product = SeededRandom(SeededRandom.mix(seed ^ 0x5052_4f44))
        (state.picking, state.interval, state.isTracing) = (picking, interval, isTracing)
        (state.pauses, state.limit) = (pauses, limit)
        if case .priorities(let changes) = picking {
            for _ in 0..<changes { state.changePoints.insert(state.scheduling.below(20_000)) }
        }
        kernel_hooked.now = { Kernel.time(of: $0) }
        kernel_hooked.sleep = { Kernel.sleep($0) }
        kernel_hooked.random = { bytes, count in
            guard let bytes else { return }
            var left = count
            var place = bytes
            while left > 0 {
                var word = state.product.next()
                let part = min(left, 8)
                memcpy(place, &word, part)
                place += part
                left -= part
            }
        }
        kernel_hooked.poll = { descriptor, events, milliseconds in
            state.poll?(descriptor, events, milliseconds < 0 ? nil : Int64(milliseconds) * 1_000_000) ?? 0
        }
        setCountdown()
    }

    /// Answers poll(2) with one descriptor. The last argument is the limit in nanoseconds.
    public static func answerPoll(_ poll: @escaping (Int32, Int16, Int64?) -> Int16) { state.poll = poll }

    /// Runs `body` as the first thread of the world, and everything it starts, until `end`.
    /// - Returns: what `end` was called with.
    public static func run(_ body: @escaping () -> Void) -> String {
        spawn("world", process: 0, body)
        state.isRunning = true
        switchAway(saving: &state.mainPointer)
        state.isRunning = false
        return state.ending ?? ""
    }

    /// Ends the simulation. Called on any simulated thread; does not return there.
    public static func end(_ reason: String) -> Never {
        state.ending = reason
        var abandoned: UnsafeMutableRawPointer?
        state.current = nil
        kernel_switch(&abandoned, state.mainPointer)
        fatalError("An abandoned thread continued.")
    }

    public static func note(_ line: @autoclosure () -> String) {
        guard state.isTracing else { return }
        state.lines.append(line())
    }

    @discardableResult
    public static func spawn(_ name: String, process: Int? = nil, _ body: @escaping () -> Void) -> Fiber {
        state.spawned += 1
        let fiber = Fiber(state.spawned, name, process ?? Kernel.process, priority: state.scheduling.next() | 1 << 32, body)
        let stack = state.spareStacks.popLast() ?? kernel_stack(stackSize)
        guard let stack else { fatalError("The machine has no memory for a stack.") }
        fiber.stack = stack
        let argument = Unmanaged.passUnretained(fiber).toOpaque()
        fiber.stackPointer = kernel_prepare(
            stack, stackSize,
            { argument in
                if let argument { Kernel.runFiber(Unmanaged<Fiber>.fromOpaque(argument).takeUnretainedValue()) }
            }, argument)
        state.fibers[fiber.process, default: []].append(fiber)
        makeReady(fiber)
        return fiber
    }

    private static func runFiber(_ fiber: Fiber) {
        run(fiber)
        // Frees nothing of this stack before the switch.
        var abandoned: UnsafeMutableRawPointer?
        switchAway(saving: &abandoned)
        fatalError("A thread continued after its end.")
    }

    private static func run(_ fiber: Fiber) {
        let body = fiber.body
        fiber.body = nil
        body?()
        fiber.isAlive = false
        state.fibers[fiber.process]?.removeAll { $0 === fiber }
        if let stack = fiber.stack { state.spareStacks.append(stack) }
        // The dictionary held the last reference: keep the object while its stack still runs.
        state.current = fiber
    }

    // MARK: Waiting

    /// A place where another thread may run: before a lock, after it, at an atomic.
    @inline(__always)
    public static func point(_ reason: StaticString = "point") {
        state.countdown -= 1
        if state.countdown <= 0 { interrupt(reason) }
    }

    private static func interrupt(_ reason: StaticString) {
        setCountdown()
        guard let fiber = state.current else { return }
        if fiber.process != 0, state.pauses.oneIn > 0, state.scheduling.oneIn(state.pauses.oneIn) {
            return sleep(state.scheduling.range(1000...state.pauses.longest))
        }
        fiber.reason = reason
        makeReady(fiber)
        reschedule()
    }

    private static func setCountdown() { state.countdown = 1 + state.scheduling.below(2 * state.interval) }

    public static func yield() { interrupt("yield") }

    public static func sleep(_ nanoseconds: Int64) {
        guard let fiber = state.current else { return }
        begin(fiber, "sleep", until: state.now + max(nanoseconds, 1000))
        reschedule()
    }

    /// Waits in the queue.
    /// - Parameter end: in nanoseconds of the simulation.
    /// - Returns: false if the end came first.
    @discardableResult
    public static func wait(in queue: WaitQueue, until end: Int64? = nil, _ reason: StaticString) -> Bool {
        guard let fiber = state.current else { return false }
        begin(fiber, reason, until: end)
        queue.waiting.append((fiber, fiber.wait))
        reschedule()
        if fiber.hasTimedOut { queue.waiting.removeAll { $0.fiber === fiber } }
        return !fiber.hasTimedOut
    }

    private static func begin(_ fiber: Fiber, _ reason: StaticString, until end: Int64?) {
        fiber.wait += 1
        fiber.isWaiting = true
        fiber.hasTimedOut = false
        fiber.reason = reason
        if let end { state.timers.add(max(end, state.now), fiber, fiber.wait) }
    }

    /// Wakes one thread of the queue, which the seed picks.
    public static func wakeOne(_ queue: WaitQueue) {
        while !queue.waiting.isEmpty {
            let index = queue.waiting.count == 1 ? 0 : state.scheduling.below(queue.waiting.count)
            let (fiber, wait) = queue.waiting.remove(at: index)
            if wake(fiber, wait) { return }
        }
    }

    public static func wakeAll(_ queue: WaitQueue) {
        let waiting = queue.waiting
        queue.waiting = []
        for (fiber, wait) in waiting { _ = wake(fiber, wait) }
    }

    private static func wake(_ fiber: Fiber, _ wait: Int) -> Bool {
        guard fiber.isAlive, fiber.isWaiting, fiber.wait == wait else { return false }
        fiber.isWaiting = false
        makeReady(fiber)
        return true
    }

    private static func makeReady(_ fiber: Fiber) {
        if !state.frozen.isEmpty, state.frozen[fiber.process] != nil {
            state.frozen[fiber.process]?.append(fiber)
        } else {
            state.ready.append(fiber)
        }
    }

    // MARK: Scheduling

    private static func reschedule() {
        guard let fiber = state.current else { return }
        let next = pick()
        state.current = next
        if next === fiber { return }
        kernel_switch(&fiber.stackPointer, next.stackPointer)
    }

    private static func switchAway(saving pointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
        let next = pick()
        state.current = next
        kernel_switch(pointer, next.stackPointer)
    }

    private static func pick() -> Fiber {
        while true {
            fireTimers()
            if state.ready.isEmpty {
                guard let next = state.timers.first else { deadlock() }
                state.now = max(state.now, next)
                continue
            }
            let fiber = choose()
            guard fiber.isAlive else { continue }
            state.decisions += 1
            state.now += 1000 + Int64(truncatingIfNeeded: state.scheduling.next() & 0xFFF)
            state.trace =
                (state.trace ^ UInt64(truncatingIfNeeded: fiber.number) ^ UInt64(truncatingIfNeeded: state.now) << 20) &* 0x100_0000_01B3
            if state.isTracing {
                state.lines.append("\(state.now / 1000) \(fiber.process)/\(fiber.name)#\(fiber.number) after \(fiber.reason)")
            }
            if state.decisions & 0xFFF == 0 { checkProgress() }
            return fiber
        }
    }

    private static func choose() -> Fiber {
        let count = state.ready.count
        guard count > 1 else { return state.ready.removeLast() }
        let index: Int
        switch state.picking {
        case .random:
            index = state.scheduling.below(count)
        case .priorities:
            var best = 0
            for other in 1..<count where state.ready[other].priority > state.ready[best].priority { best = other }
            if state.changePoints.remove(state.decisions) != nil {
                state.lowest -= 1
                state.ready[best].priority = state.lowest
            }
            // Now and then at random, so that a thread that spins lets the others run.
            index = state.scheduling.below(64) == 0 ? state.scheduling.below(count) : best
        }
        let fiber = state.ready[index]
        state.ready[index] = state.ready[count - 1]
        state.ready.removeLast()
        return fiber
    }

    private static func fireTimers() {
        while let next = state.timers.first, next <= state.now {
            let (fiber, wait) = state.timers.removeFirst()
            guard fiber.isAlive, fiber.isWaiting, fiber.wait == wait else { continue }
            fiber.isWaiting = false
            fiber.hasTimedOut = true
            makeReady(fiber)
        }
    }

    private static func checkProgress() {
        if state.decisions > state.limit { finish("limit: the run has more than \(state.limit) decisions") }
        let second = state.now / 1_000_000_000
        if second > state.second + 1 {
            (state.second, state.decisionsAtSecond) = (second, state.decisions)
        } else if state.decisions - state.decisionsAtSecond > 6_000_000 {
            finish("livelock: threads run on and on, and two seconds do not pass")
        }
    }

    private static func deadlock() -> Never {
        let waiting = state.fibers.values.flatMap(\.self).filter(\.isWaiting).sorted { $0.number < $1.number }
        finish("deadlock: all threads wait and no timer runs: " + waiting.map { "\($0.name) (\($0.reason))" }.joined(separator: ", "))
    }

    private static func finish(_ reason: String) -> Never {
        state.ending = reason
        var abandoned: UnsafeMutableRawPointer?
        kernel_switch(&abandoned, state.mainPointer)
        fatalError("An abandoned thread continued.")
    }

    // MARK: Processes

    /// Ends every thread of the process where it is, as SIGKILL does. Not called on one of them.
    public static func kill(_ process: Int) {
        for fiber in state.fibers.removeValue(forKey: process) ?? [] {
            fiber.isAlive = false
            fiber.isWaiting = false
        }
        state.ready.removeAll { $0.process == process }
        state.frozen[process] = nil
    }

    /// Stops every thread of the process, as SIGSTOP does.
    public static func freeze(_ process: Int) {
        guard state.frozen[process] == nil else { return }
        state.frozen[process] = state.ready.filter { $0.process == process }
        state.ready.removeAll { $0.process == process }
    }

    public static func thaw(_ process: Int) { state.ready += state.frozen.removeValue(forKey: process) ?? [] }

    /// Sets the process's wall clock ahead of the world's.
    public static func setClock(of process: Int, ahead nanoseconds: Int64) { state.skew[process] = nanoseconds }

    public static func threads(of process: Int) -> [(name: String, waits: Bool, reason: String)] {
        (state.fibers[process] ?? []).map { ($0.name, $0.isWaiting, "\($0.reason)") }
    }

    private static func time(of clock: Int32) -> Int64 {
        // A loop that reads the clock until a time must come to its end.
        state.now += 20
        let isWall = clock == 0 || clock == 5
        return isWall ? epoch + state.now + (state.skew.isEmpty ? 0 : state.skew[process] ?? 0) : state.now + 1_000_000_000_000
    }
}

/// A binary heap of wake-ups, in the order of their times and then of their creation.
struct TimerHeap {
    private struct Entry {
        let time: Int64
        let order: Int
        let fiber: Fiber
        let wait: Int

        func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
    }

    private var entries: [Entry] = []
    private var order = 0

    var first: Int64? { entries.first?.time }

    mutating func add(_ time: Int64, _ fiber: Fiber, _ wait: Int) {
        order += 1
        entries.append(Entry(time: time, order: order, fiber: fiber, wait: wait))
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() -> (Fiber, Int) {
        let first = entries[0]
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            var parent = 0
            while true {
                let left = 2 * parent + 1
                guard left < entries.count else { break }
                let right = left + 1
                let child = right < entries.count && entries[right].isBefore(entries[left]) ? right : left
                guard entries[child].isBefore(entries[parent]) else { break }
                entries.swapAt(child, parent)
                parent = child
            }
        }
        return (first.fiber, first.wait)
    }
}
