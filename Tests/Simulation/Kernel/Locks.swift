import Dispatch
import Foundation
import Synchronization

/// A lock of simulated threads.
public final class LockCore {
    private var owner: Fiber?
    private let queue = WaitQueue()

    public init() {}

    public func lock() {
        Kernel.point("lock")
        while owner != nil {
            if owner === state.current { fatalError("A thread locks a lock that it holds.") }
            Kernel.wait(in: queue, "lock")
        }
        owner = state.current
    }

    public func unlock() {
        release()
        Kernel.point("unlock")
    }

    /// Waits for a condition. Between the unlock and the wait there is no scheduling point: a signal in between must not be lost.
    /// - Returns: false if the end came first.
    @discardableResult
    public func wait(in condition: WaitQueue, until end: Int64?) -> Bool {
        release()
        let isSignalled = Kernel.wait(in: condition, until: end, "condition")
        lock()
        return isSignalled
    }

    private func release() {
        owner = nil
        Kernel.wakeOne(queue)
    }
}

/// Stands in for Synchronization's Mutex.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let core = LockCore()
    private let value: UnsafeMutablePointer<Value>

    public init(_ initial: consuming sending Value) {
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    public borrowing func withLock<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
        core.lock()
        defer { core.unlock() }
        return try body(&value.pointee)
    }
}

/// Stands in for Synchronization's Atomic.
public struct Atomic<Value: AtomicRepresentable>: ~Copyable, @unchecked Sendable {
    private let value: UnsafeMutablePointer<Value>

    public init(_ initial: consuming Value) {
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    public borrowing func load(ordering: AtomicLoadOrdering) -> Value {
        Kernel.point("atomic")
        return value.pointee
    }

    public borrowing func store(_ new: Value, ordering: AtomicStoreOrdering) {
        Kernel.point("atomic")
        value.pointee = new
    }

    @discardableResult
    public borrowing func exchange(_ new: Value, ordering: AtomicUpdateOrdering) -> Value {
        Kernel.point("atomic")
        defer { value.pointee = new }
        return value.pointee
    }
}

extension Atomic where Value: Equatable {
    public borrowing func compareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        Kernel.point("atomic")
        let original = value.pointee
        if original == expected { value.pointee = desired }
        return (original == expected, original)
    }
}

extension Atomic where Value: FixedWidthInteger {
    private borrowing func update(_ change: (Value) -> Value) -> (oldValue: Value, newValue: Value) {
        Kernel.point("atomic")
        let old = value.pointee
        value.pointee = change(old)
        return (old, value.pointee)
    }

    @discardableResult
    public borrowing func add(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 + operand }
    }

    @discardableResult
    public borrowing func subtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 - operand }
    }

    @discardableResult
    public borrowing func wrappingAdd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 &+ operand }
    }

    @discardableResult
    public borrowing func max(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { Swift.max($0, operand) }
    }

    @discardableResult
    public borrowing func min(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { Swift.min($0, operand) }
    }

    @discardableResult
    public borrowing func bitwiseOr(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 | operand }
    }

    @discardableResult
    public borrowing func bitwiseAnd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 & operand }
    }
}

/// Stands in for Foundation's NSLock.
public final class NSLock: @unchecked Sendable {
    private let core = LockCore()

    public init() {}

    public func lock() { core.lock() }
    public func unlock() { core.unlock() }

    public func withLock<Result, E: Error>(_ body: () throws(E) -> Result) throws(E) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

/// Stands in for Foundation's NSCondition.
public final class NSCondition: @unchecked Sendable {
    private let core = LockCore()
    private let queue = WaitQueue()

    public init() {}

    public func lock() { core.lock() }
    public func unlock() { core.unlock() }

    public func wait() { wait(until: nil as Int64?) }

    @discardableResult
    public func wait(until end: Date) -> Bool {
        wait(until: Kernel.now + Int64(min(end.timeIntervalSinceNow, 1e9) * 1e9))
    }

    @discardableResult
    private func wait(until end: Int64?) -> Bool { core.wait(in: queue, until: end) }

    public func signal() { Kernel.wakeOne(queue) }
    public func broadcast() { Kernel.wakeAll(queue) }
}

/// Stands in for Dispatch's semaphore.
public final class DispatchSemaphore: @unchecked Sendable {
    private var value: Int
    private let queue = WaitQueue()

    public init(value: Int) { self.value = value }

    @discardableResult
    public func signal() -> Int {
        value += 1
        Kernel.wakeOne(queue)
        Kernel.point("signal")
        return 0
    }

    public func wait() { _ = wait(until: nil) }

    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        let now = DispatchTime.now().uptimeNanoseconds
        let left = timeout.uptimeNanoseconds > now ? timeout.uptimeNanoseconds - now : 0
        return wait(until: Kernel.now + Int64(min(left, 1 << 60))) ? .success : .timedOut
    }

    private func wait(until end: Int64?) -> Bool {
        Kernel.point("semaphore")
        while value == 0 {
            if let end, Kernel.now >= end { return false }
            if !Kernel.wait(in: queue, until: end, "semaphore"), value == 0 { return false }
        }
        value -= 1
        return true
    }
}

/// Stands in for Dispatch's queues where they only run a job later.
public struct DispatchQueue {
    public static func global() -> DispatchQueue { DispatchQueue() }

    public func asyncAfter(deadline: DispatchTime, execute job: @escaping () -> Void) {
        let now = DispatchTime.now().uptimeNanoseconds
        let left = deadline.uptimeNanoseconds > now ? Int64(deadline.uptimeNanoseconds - now) : 0
        Kernel.spawn("dispatch") {
            Kernel.sleep(left)
            job()
        }
    }
}

public enum Thread {
    public static func sleep(forTimeInterval seconds: Double) { Kernel.sleep(Int64(seconds * 1e9)) }
}
