import Dispatch
import Foundation
import Shortcuts
import Synchronization
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ChangeStreamTests {
    /// An observation of the store, and the ids of the apps whose changes it has received.
    private func observed(_ bench: Workbench) -> (Observation, heard: @Sendable () -> [String]) {
        let heard = Heard()
        let observation = bench.store.observe { changes in
            for case .app(let app) in changes { heard.apps.withLock { $0.append(app.description) } }
        }
        return (observation, { heard.apps.withLock { $0 } })
    }

    private final class Heard: Sendable {
        let apps = Mutex<[String]>([])
    }

    @Test func `a write returns after all observers were called`() throws {
        let bench = try Workbench()
        let (first, second) = (observed(bench), observed(bench))
        for name in ["a", "b", "c"] { try bench.store.makeApp(name) }
        #expect(first.heard() == ["a", "b", "c"] && second.heard() == first.heard())
    }

    @Test func `a released observation receives nothing more`() throws {
        let bench = try Workbench()
        var observer: (Observation, heard: @Sendable () -> [String])? = observed(bench)
        let heard = try #require(observer?.heard)
        try bench.store.makeApp("a")
        observer = nil
        try bench.store.makeApp("b")
        #expect(heard() == ["a"])
    }

    @Test func `changes are sent in commit order, also for writers of one group`() throws {
        let bench = try Workbench()
        let store = bench.store
        let revisions = Mutex<[Int64]>([])
        let app = try store.makeApp()
        let observation = store.observe { changes in
            // An observer may read, and sees at least the change for which it was called.
            guard case .app = changes.first, let set = try? store.snapshot(of: app)?.timelines[.default]?.sets.first else { return }
            revisions.withLock { $0.append(set.revision) }
        }
        let all = DispatchGroup()
        for writer in 0..<8 {
            all.enter()
            Thread.detachNewThread {
                for number in 0..<10 { _ = try? store.publish(try shortcutSet("i\(writer)-\(number)"), "1.0", of: app) }
                all.leave()
            }
        }
        all.wait()
        withExtendedLifetime(observation) {}
        let seen = revisions.withLock { $0 }
        #expect(seen.count == 80 && seen == seen.sorted() && seen.last == 80)
        #expect(zip(seen, 1...).allSatisfy { $0 >= $1 })
    }

    @Test func `another write is committed while an observer runs`() throws {
        let bench = try Workbench()
        let store = bench.store
        let (isHearing, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isFirst = Atomic(true)
        let observation = store.observe { _ in
            guard isFirst.exchange(false, ordering: .acquiringAndReleasing) else { return }
            isHearing.signal()
            mayEnd.wait()
        }
        let all = DispatchGroup()
        for name in ["slow", "quick"] {
            all.enter()
            Thread.detachNewThread {
                _ = try? store.makeApp(name)
                all.leave()
            }
            if name == "slow" { isHearing.wait() }
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while try store.count("apps") < 2, ContinuousClock.now < deadline { usleep(1000) }
        #expect(try store.count("apps") == 2)
        mayEnd.signal()
        all.wait()
        withExtendedLifetime(observation) {}
    }

    @Test func `the first check finds what another process has committed since the opening`() throws {
        let bench = try Workbench(on: .sqlite)
        try Workbench.open(bench.path).makeApp("foreign")
        try bench.store.checkForExternalCommits()
        #expect(bench.heard.external.withLock { $0 } == 1)
    }

    @Test func `a commit of another process is observed before the next commit of this one`() throws {
        let bench = try Workbench(on: .sqlite)
        let other = try Workbench.open(bench.path)
        try bench.store.makeApp("own")
        try bench.store.checkForExternalCommits()
        let before = bench.heard.external.withLock { $0 }
        try other.makeApp("foreign")
        try bench.store.checkForExternalCommits()
        #expect(bench.heard.external.withLock { $0 } == before + 1)
        try bench.store.makeApp("own.too")
        try bench.store.checkForExternalCommits()
        #expect(bench.heard.external.withLock { $0 } == before + 1)
        try other.makeApp("foreign.too")
        let kinds = Mutex<[String]>([])
        let observation = bench.store.observe { changes in
            for change in changes {
                switch change {
                case .everything: kinds.withLock { $0.append("everything") }
                case .app(let app): kinds.withLock { $0.append(app.description) }
                case .endpoints, .deliveries, .schedule, .stream, .credentials, .notice: break
                }
            }
        }
        try bench.store.makeApp("third")
        withExtendedLifetime(observation) {}
        #expect(kinds.withLock { $0 } == ["everything", "third"])
    }
}
