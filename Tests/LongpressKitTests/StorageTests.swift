import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import LongpressKit

@Suite struct StorageTests {
    /// The stored state of a client after a refresh.
    private func filled(_ languages: [String] = []) async throws -> Bench {
        let bench = try Bench(ScriptedTransport(DomainService(snapshot: try notes())), languages: languages)
        _ = try await bench.client().refresh()
        return bench
    }

    @Test func `after an update nothing of the old version is shown`() async throws {
        var bench = try await filled()
        bench.configuration.version = "3.0"
        #expect(await bench.client().menu == nil)
        let carried = await bench.client(bundled: try bundle(try notes(), "3.0+7")).menu
        #expect(carried?.version == "3.0.0" && carried?.items.map(\.id) == ["compose", "newest"])
        #expect(await bench.client(bundled: try bundle(try notes(), "2.0")).menu == nil)
    }

    @Test func `a carried bundle is told in the person's language, with the build of the app`() async throws {
        var bench = try Bench(.offline, version: "2.0.0", languages: ["fr", "ko-KR"])
        bench.configuration.build = "0512"
        let menu = try #require(await bench.client(bundled: try bundle(try notes(), "2.0")).menu)
        #expect(menu.language == "ko" && menu.items[0].title == "새 메모" && menu.items[1].title == "New")
        #expect(menu.items.allSatisfy { $0.userInfo["longpress.version"] == .string("2.0.0+512") })
    }

    @Test func `another language is shown at once, from the bundle`() async throws {
        var bench = try await filled(["en"])
        bench.configuration.languages = ["ko"]
        let client = bench.client()
        #expect(await client.menu?.language == "ko")
        #expect(try await client.refresh() == .unchanged)
        #expect(bench.transport.asked == ["shortcuts", "bundle", "shortcuts", "bundle"])
    }

    @Test func `what the audience was told is kept, and a log-out shows no member's menu`() async throws {
        let bench = try Bench(ScriptedTransport(DomainService(snapshot: try notes())))
        let client = bench.client(bundled: try bundle(try notes(), "2.0"))
        await client.update(audience: "member")
        #expect(await client.menu?.audience == "default")
        _ = try await client.refresh()
        #expect(await client.menu?.items.map(\.id) == ["inbox"])
        let next = bench.client(bundled: try bundle(try notes(), "2.0"))
        #expect(await next.menu?.items.map(\.id) == ["inbox"])

        bench.transport.answer { _ in throw ScriptedTransport.Unreachable() }
        await next.update(audience: nil)
        #expect(await next.menu?.audience == "default")
        #expect(bench.storage.files.withLock { files in files.values.allSatisfy { !$0.contains("inbox") } })
        #expect(await bench.client().menu == nil)
        let last = bench.client(bundled: try bundle(try notes(), "2.0"))
        #expect(await last.menu?.audience == "default")
        // A document that was bundled for members counts as one for members in storage, too.
        let member = try #require(Audience("member"))
        #expect(await bench.client(bundled: try bundle(try notes(), "2.0", member)).menu == nil)
        // The member's document resolves no tap of others.
        let inbox = QuickActionTap(
            type: "t.inbox",
            userInfo: ["longpress.schema": .integer(1), "longpress.item": .string("inbox"), "longpress.version": .string("2.0.0")])
        #expect(await last.resolve(inbox).outcome == .removed)
        let theirs = await bench.client(bundled: try bundle(try notes(), "2.0", member)).resolve(inbox)
        #expect((theirs.outcome, theirs.item, theirs.source) == (.unknown, nil, .none))
    }

    @Test func `a log-out while a request is under way shows no member's menu either`() async throws {
        let service = DomainService(snapshot: try notes())
        let bench = try Bench(ScriptedTransport(service))
        let client = bench.client()
        await client.update(audience: "member")
        bench.transport.answer { request in
            if request.url.query?.contains("member") ?? false { await client.update(audience: nil) }
            return service.answer(request)
        }
        guard case .changed(let menu) = try await client.refresh() else { throw LongpressError.cancelled }
        let shown = await client.menu
        #expect(menu.audience == "default" && shown == menu)
        #expect(bench.storage.files.withLock { files in files.values.allSatisfy { !$0.contains("inbox") } })
    }

    @Test func `a log-out while a request is under way keeps no member's menu, though nothing comes after it`() async throws {
        let service = DomainService(snapshot: try notes())
        let bench = try Bench(ScriptedTransport(service))
        let client = bench.client()
        await client.update(audience: "member")
        bench.transport.answer { request in
            guard request.url.lastPathComponent == "shortcuts", request.url.query == "audience=member" else {
                throw ScriptedTransport.Unreachable()
            }
            await client.update(audience: nil)
            return service.answer(request)
        }
        #expect(await error { try await client.refresh() } == .unreachable("Unreachable()"))
        let shown = await client.menu
        #expect(shown == nil)
        #expect(bench.storage.files.withLock { files in files.values.allSatisfy { !$0.contains("inbox") } })
    }

    @Test func `what the configuration newly says counts more than what was said before`() async throws {
        var bench = try Bench(ScriptedTransport(DomainService(snapshot: try notes())))
        await bench.client().update(audience: "member")
        _ = try await bench.client().refresh()
        bench.configuration.audience = "guest"
        _ = try await bench.client().refresh()
        let asked = bench.transport.requests.compactMap(\.url.query)
        #expect(asked == ["member", "member", "guest", "guest"].map { "audience=\($0)" })
    }

    @Test func `a damaged file is as good as none`() async throws {
        let bench = try await filled()
        await bench.client().update(audience: nil)
        let files = bench.storage.files.withLock { $0 }
        #expect(files.keys.sorted() == [".audience", ".bundle", ".menu"].map { appID + $0 })
        let sound = try #require(await bench.client().menu)
        let tap = try tap("old", at: "1.0", in: try notes())
        var dice = Dice(state: 7)
        for (name, data) in files {
            let cuts = (0..<data.count).filter { $0 < 200 || $0 % 13 == 0 || $0 > data.count - 20 }.map { data.prefix($0) }
            let flips = (0..<300).map { _ in
                var damaged = data
                damaged[Int.random(in: 0..<data.count, using: &dice)] ^= UInt8(1 << Int.random(in: 0..<8, using: &dice))
                return damaged
            }
            for damaged in cuts + flips {
                bench.storage.files.withLock { $0 = files.merging([name: damaged]) { $1 } }
                #expect(KeptAnswer(damaged) == nil && KeptAudience(damaged) == nil)
                let client = LongpressClient(
                    bench.configuration, bundled: nil, storage: bench.storage, transport: ScriptedTransport.offline,
                    environment: ClientEnvironment(now: { Date() }, instant: { .now }, sleep: { _ in }, random: { 0 }))
                let menu = await client.menu
                #expect(menu == nil || menu == sound)
                let action = await client.resolve(tap)
                #expect(action.outcome == .replaced || action.source == .none)
            }
        }
    }

    @Test func `a damaged bundle of the app is as good as none`() async throws {
        let data = try bundle(try notes(), "2.0")
        let bench = try Bench(.offline)
        var dice = Dice(state: 11)
        for length in stride(from: 0, to: data.count - 2, by: 17) {
            #expect(await bench.client(bundled: data.prefix(length)).menu == nil)
        }
        for _ in 0..<500 {
            var damaged = data
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                damaged[Int.random(in: 0..<data.count, using: &dice)] ^= UInt8(1 << Int.random(in: 0..<8, using: &dice))
            }
            var configuration = bench.configuration
            configuration.patience = .zero
            let client = LongpressClient(
                configuration, bundled: damaged, storage: bench.storage, transport: bench.transport, environment: bench.clock.environment)
            for id in ["compose", "old", "gone", "lost"] { _ = await client.resolve(try tap(id, at: "1.0", in: try notes())) }
            _ = await client.menu
        }
    }

    @Test func `a directory holds the files, and another process sees them`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "longpress-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = try Bench(ScriptedTransport(DomainService(snapshot: try notes())))
        func client() -> LongpressClient {
            LongpressClient(
                bench.configuration, bundled: nil, storage: .directory(folder.appending(path: "deep")), transport: bench.transport,
                environment: bench.clock.environment)
        }
        let (app, share) = (client(), client())
        #expect(await app.menu == nil)
        guard case .changed(let menu) = try await share.refresh() else { throw LongpressError.cancelled }
        // The extension's fetch is new to the app, and saves it a request.
        #expect(try await app.refresh() == .changed(menu))
        #expect(bench.transport.requests.count == 2)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "deep").path)
        #expect(files.sorted() == [appID + ".bundle", appID + ".menu"])
        await share.update(audience: "member")
        _ = try await app.refresh()
        #expect(await app.menu?.audience == "member")
    }

    @Test func `the audience and the installation's id outlive emptied caches`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "longpress-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (caches, lasting) = (folder.appending(path: "caches"), folder.appending(path: "lasting"))
        let bench = try Bench(ScriptedTransport(DomainService(snapshot: try notes())))
        func client() -> LongpressClient {
            LongpressClient(
                bench.configuration, bundled: nil, storage: DirectoryStorage(directory: caches, lasting: lasting),
                transport: bench.transport, environment: bench.clock.environment)
        }
        let first = client()
        await first.update(audience: "member")
        _ = try await first.refresh()
        try FileManager.default.removeItem(at: caches)
        let next = client()
        #expect(await next.menu == nil)
        #expect(await next.registrable.audience == "member")
        _ = await next.installationID
        #expect(try FileManager.default.contentsOfDirectory(atPath: lasting.path).contains("\(appID).installation"))
    }

    @Test func `where there are no groups, one's storage is a directory of its own in the caches`() throws {
        let (caches, group) = (DirectoryStorage.standard, DirectoryStorage.appGroup("group.com.example.\(UUID().uuidString)"))
        let name = "com.example.\(UUID().uuidString).menu"
        try group.save(Data("a".utf8), as: name)
        #expect(group.load(name) == Data("a".utf8) && caches.load(name) == nil)
    }

    @Test func `an audience that is none is told, until there is one again`() async throws {
        let bench = try await filled()
        let client = bench.client(bundled: try bundle(try notes(), "2.0"))
        await client.update(audience: "Members!")
        #expect(await client.menu == nil)
        let next = bench.client(bundled: try bundle(try notes(), "2.0"))
        #expect(await next.menu == nil)
        await next.update(audience: nil)
        #expect(await next.menu?.items.count == 2)
        #expect(await next.resolve(try tap("old", at: "1.0", in: try notes())).outcome == .replaced)
    }

    @Test func `a storage that cannot be written costs nothing but the next launch`() async throws {
        let bench = try Bench(ScriptedTransport(DomainService(snapshot: try notes())))
        let client = LongpressClient(
            bench.configuration, bundled: nil, storage: .directory(URL(filePath: "/dev/null/longpress")), transport: bench.transport,
            environment: bench.clock.environment)
        await client.update(audience: "member")
        _ = try await client.refresh()
        #expect(await client.menu?.audience == "member")
        #expect(try await client.refresh() == .unchanged && bench.transport.requests.count == 2)
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}

/// The same rolls for the same seed (Steele and Vigna's constant of a linear congruential generator).
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 0xD134_2543_DE82_EF95 &+ 1
        return state ^ (state >> 32)
    }
}
