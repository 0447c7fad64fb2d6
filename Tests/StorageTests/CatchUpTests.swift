import Dispatch
import Foundation
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Storage
@testable import StoragePostgres

@Suite struct CatchUpTests {
    /// Longer than any test waits, however busy the machine is.
    private static let timeout: TimeInterval = 600

    /// A run in a new thread that continues until `finish`. Its caller waits, too.
    private final class Run: Sendable {
        private let (hasBegun, mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

        init(_ catchUp: CatchUp) {
            Thread.detachNewThread { [self] in
                try? catchUp.run(isComplete: true) { [hasBegun, mayEnd] in
                    hasBegun.signal()
                    mayEnd.wait()
                }
                hasEnded.signal()
            }
            hasBegun.wait()
        }

        func finish() {
            mayEnd.signal()
            hasEnded.wait()
        }
    }

    /// How often a caller that arrives during the run, and waits for it, asks the store.
    private func callsOfNext(during run: Run, _ catchUp: CatchUp) -> Int {
        let asked = Mutex(0)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? catchUp.run(isComplete: false) { asked.withLock { $0 += 1 } }
            done.signal()
        }
        while catchUp.waiting < 2 { usleep(1000) }
        run.finish()
        done.wait()
        return asked.withLock { $0 }
    }

    @Test func `who comes while the store is asked asks once more where what was committed before must be known`() throws {
        let catchUp = CatchUp(timeout: Self.timeout)
        let run = Run(catchUp)
        let asked = Mutex(0)
        let done = DispatchGroup()
        for _ in 0..<8 {
            done.enter()
            Thread.detachNewThread {
                try? catchUp.run(isComplete: true) { asked.withLock { $0 += 1 } }
                done.leave()
            }
        }
        while catchUp.waiting < 9 { usleep(1000) }
        #expect(asked.withLock { $0 } == 0)
        run.finish()
        done.wait()
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func `who comes while the store is asked shares the answer where it may be a little older`() throws {
        let catchUp = CatchUp(timeout: Self.timeout)
        #expect(callsOfNext(during: Run(catchUp), catchUp) == 0)
        let asked = Mutex(0)
        try catchUp.run(isComplete: false) { asked.withLock { $0 += 1 } }
        #expect(asked.withLock { $0 } == 1)
    }

    /// Such as a process that was frozen while it waited for the store.
    @Test func `who comes later than a second after the call began asks again`() {
        let clock = Mutex(ContinuousClock.now)
        let catchUp = CatchUp(timeout: Self.timeout) { clock.withLock(\.self) }
        let run = Run(catchUp)
        clock.withLock { $0 += .seconds(1) }
        #expect(callsOfNext(during: run, catchUp) == 1)
    }

    @Test func `while the store does not answer, one caller alone waits for it`() throws {
        let clock = Mutex(ContinuousClock.now)
        let catchUp = CatchUp(timeout: Self.timeout) { clock.withLock(\.self) }
        let failure = Failure.storageUnavailable(cause: "away")
        #expect(throws: Failure.self) { try catchUp.run(isComplete: false) { () throws(Failure) in throw failure } }
        // For a second, nobody asks it again.
        #expect(throws: Failure.self) { try catchUp.run(isComplete: true) { Issue.record("It was asked.") } }
        clock.withLock { $0 += .seconds(1) }
        let run = Run(catchUp)
        #expect(throws: Failure.self) { try catchUp.run(isComplete: true) { Issue.record("It was asked.") } }
        run.finish()
        let isAsked = Mutex(false)
        try catchUp.run(isComplete: true) { isAsked.withLock { $0 = true } }
        #expect(isAsked.withLock { $0 })
    }

    @Test func `a failure is forgotten once the store has answered somebody else`() throws {
        let clock = Mutex(ContinuousClock.now)
        let catchUp = CatchUp(timeout: Self.timeout) { clock.withLock(\.self) }
        #expect(throws: Failure.self) {
            try catchUp.run(isComplete: false) { () throws(Failure) in throw .storageUnavailable(cause: "away") }
        }
        clock.withLock { $0 += .seconds(3600) }
        catchUp.noteSuccess()
        let run = Run(catchUp)
        let succeeded = Mutex(false)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            succeeded.withLock { $0 = (try? catchUp.run(isComplete: false) {}) != nil }
            done.signal()
        }
        var hasEnded = false
        while catchUp.waiting < 2, !hasEnded { hasEnded = done.wait(timeout: .now() + 0.001) == .success }
        run.finish()
        if !hasEnded { done.wait() }
        #expect(succeeded.withLock { $0 })
    }

    /// Such as observers that read the store while it does not answer.
    @Test func `nobody waits longer than the timeout for a call that goes on, and then nobody else waits`() throws {
        let catchUp = CatchUp(timeout: 0.05)
        let (mayEnd, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        #expect(throws: Failure.self) {
            try catchUp.run(isComplete: false) {
                mayEnd.wait()
                hasEnded.signal()
            }
        }
        #expect(throws: Failure.self) { try catchUp.run(isComplete: true) { Issue.record("It was asked.") } }
        #expect(catchUp.waiting == 0)
        mayEnd.signal()
        hasEnded.wait()
        let isAsked = Mutex(false)
        while !isAsked.withLock({ $0 }) { try? catchUp.run(isComplete: true) { isAsked.withLock { $0 = true } } }
    }

    /// Whatever the state of the notification and the listening thread.
    @Test func `who has caught up completely has been told of what another node committed before`() throws {
        let bench = try Workbench(on: .postgres)
        let other = try bench.reopened()
        let told = Mutex<[AppID]>([])
        let observation = other.observe { changes in
            for case .app(let app) in changes { told.withLock { $0.append(app) } }
        }
        for number in 0..<50 {
            let app = try bench.store.makeApp("app\(number)")
            try other.catchUpCompletely()
            #expect(told.withLock { $0.last } == app)
        }
        withExtendedLifetime(observation) {}
        #expect(told.withLock(\.count) == 50)
    }

    @Test(arguments: [true, false]) func `after a failure nobody asks for a second`(_ isComplete: Bool) {
        let clock = Mutex(ContinuousClock.now)
        let catchUp = CatchUp(timeout: Self.timeout) { clock.withLock(\.self) }
        let asked = Mutex(0)
        for pause in [Duration.zero, .milliseconds(999), .milliseconds(1)] {
            clock.withLock { $0 += pause }
            #expect(throws: Failure.self) {
                try catchUp.run(isComplete: isComplete) { () throws(Failure) in
                    asked.withLock { $0 += 1 }
                    throw Failure(.storageUnavailable, "away")
                }
            }
        }
        #expect(asked.withLock { $0 } == 2)
    }
}
