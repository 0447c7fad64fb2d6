import SwiftUI
import Testing

@testable import LongpressKit

extension AppTests {
    @MainActor
    @Suite struct RegisteringTests {
        private let application = UIApplication()
        private let transport = ScriptedTransport()
        private let longpress: Longpress

        init() {
            Diagnostics.stopsDebugBuilds = false
            longpress = Longpress { [application] in application }
        }

        private var types: [String]? { application.shortcutItems?.map(\.type) }

        private func fetch(_ status: Int, _ body: String, _ query: String = "") async {
            await transport.answer("shortcuts" + query, status, body)
            _ = try? await longpress.refresh()
        }

        @Test func `the menu is registered when it is fetched, once, and again only when it is another`() async throws {
            await transport.answer("shortcuts", 200, menu(entry("a") + "," + entry("b")))
            configure(longpress, transport)
            #expect(await comes { types == ["t.a", "t.b"] })
            try await longpress.refresh()
            #expect(application.registrationsDouble == 1)
            await fetch(200, menu(entry("a", revision: 2), revision: 2))
            #expect(types == ["t.a"])
            #expect(application.registrationsDouble == 2)
        }

        @Test func `no items clear, while no menu and no service leave what is registered`() async {
            application.shortcutItems = [tapped("mine")]
            await transport.answer("shortcuts", 404, #"{"type":"/problems/no-shortcut-set"}"#)
            configure(longpress, transport)
            let refresh = try? await longpress.refresh()
            #expect(refresh == .keep)
            #expect(types == ["mine"])
            await fetch(500, "")
            #expect(types == ["mine"])
        }

        @Test func `an empty menu removes the library's items, and no others`() async {
            application.shortcutItems = [tapped("mine")]
            await transport.answer("shortcuts", 200, menu(entry("a") + "," + entry("b")))
            configure(longpress, transport)
            #expect(await comes { types == ["t.a", "t.b", "mine"] })
            await fetch(200, menu("", revision: 2))
            #expect(types == ["mine"])
        }

        @Test func `the app arranges its own items among those of the service`() async throws {
            application.shortcutItems = [tapped("theirs")]
            await transport.answer("shortcuts", 200, menu(entry("a") + "," + entry("b")))
            let title = Value("Budget 2026")
            longpress.arrange { remote in
                [
                    .own(
                        id: "open-budget", type: "open", title: title.now, subtitle: "Yesterday", url: "mail://file/7",
                        icon: .init(systemImageName: "doc"), targetContentIdentifier: "files", userInfo: ["n": .integer(1)])
                ] + remote.reversed()
            }
            configure(longpress, transport)
            #expect(await comes { types == ["open", "t.b", "t.a", "theirs"] })
            let own = try #require(application.shortcutItems?.first)
            #expect(own.localizedTitle == "Budget 2026" && own.localizedSubtitle == "Yesterday" && own.icon?.source == "symbol doc")
            #expect(own.targetContentIdentifier as? String == "files")
            title.now = "Budget 2027"
            longpress.rearrange()
            #expect(await comes { application.shortcutItems?.first?.localizedTitle == "Budget 2027" })
            // Only the library's items go.
            await fetch(200, menu("", revision: 2))
            #expect(types == ["open", "theirs"])

            let heard = Heard()
            let listening = heard.listen(longpress)
            _ = await longpress.handle(try #require(application.shortcutItems?.first))
            #expect(await comes { heard.actions.count == 1 })
            let action = try #require(heard.actions.first)
            #expect((action.outcome, action.id, action.type) == (.own, "open-budget", "open"))
            #expect(action.url?.absoluteString == "mail://file/7" && action.tapped == ["n": .integer(1)] && action.item?.type == "open")
            #expect(await transport.requests.allSatisfy { $0.method == "GET" })
            listening.cancel()
        }

        @Test func `without a known menu the app arranges what is registered`() async {
            let old = QuickActionItem(type: "t.old", title: "Old", userInfo: ["longpress.schema": .integer(1)])
            let members = QuickActionItem(
                type: "t.member", title: "M", userInfo: ["longpress.schema": .integer(1), "longpress.audience": .string("member")])
            application.shortcutItems = [.longpress(old), .longpress(members), tapped("theirs")]
            longpress.arrange { $0 + [.own(id: "o", type: "own", title: "Own")] }
            await transport.answer("shortcuts", 404, #"{"type":"/problems/no-shortcut-set"}"#)
            configure(longpress, transport)
            #expect(await comes { types == ["t.old", "own", "theirs"] })
            let refresh = try? await longpress.refresh()
            #expect(refresh == .keep && types == ["t.old", "own", "theirs"])
        }

        /// LONGPRESS_ORDERS says how many; 10,000 take a minute.
        @Test func `in random orders of refreshes, changes, taps and updates each tap comes once, and no other item is lost`() async throws
        {
            let count = ProcessInfo.processInfo.environment["LONGPRESS_ORDERS"].flatMap { UInt64($0) } ?? 500
            let first = UInt64.random(in: 0...(UInt64.max - count))
            for seed in first..<first + count {
                var random = SeededGenerator(state: seed)
                if let problem = await order(&random) {
                    Issue.record("seed \(seed): \(problem)")
                    return
                }
            }
        }

        /// - Returns: what is wrong.
        private func order(_ random: inout SeededGenerator) async -> String? {
            let transport = ScriptedTransport()
            var application = UIApplication()
            var longpress = Longpress { [application] in application }
            let (own, names, heard) = (Value<[String]>([]), Value(["Ana"]), Heard())
            var (foreign, remote, revision): ([String], [String], Int) = ([], [], 0)
            // The expected outcome of each tap, in order.
            var expected: [(id: String?, outcomes: Set<ResolvedAction.Outcome>)] = []
            func begin() {
                longpress.arrange { remote in own.now.map { .own(id: $0, type: $0, title: $0) } + remote }
                longpress.provide("recent") { limit in names.now.prefix(limit).map { ["name": $0, "address": $0] } }
                configure(longpress, transport)
            }
            begin()
            var listening = heard.listen(longpress)
            for step in 0..<Int.random(in: 1...8, using: &random) {
                switch Int.random(in: 0..<7, using: &random) {
                case 0:
                    own.now = (0..<Int.random(in: 0...3, using: &random)).map { "own\(step).\($0)" }
                    longpress.rearrange()
                case 1:
                    foreign.append("foreign\(step)")
                    application.shortcutItems = (application.shortcutItems ?? []) + [tapped("foreign\(step)")]
                case 2:
                    remote = (0..<Int.random(in: 0...3, using: &random)).map { "r\(step).\($0)" }
                    revision += 1
                    let items = remote.map { entry($0, revision: revision) }.joined(separator: ",")
                    let template = Bool.random(using: &random) ? personal("p\(step)", at: 0) : ""
                    await transport.answer("shortcuts", 200, menu(items, withPersonal: template, revision: revision))
                case 3:
                    names.now = (0..<Int.random(in: 0...3, using: &random)).map { "Name\(step).\($0)" }
                    longpress.personalDataDidChange("recent")
                case 4:
                    guard let item = application.shortcutItems?.randomElement(using: &random) else { break }
                    expected.append(Self.expectation(item))
                    _ = await longpress.handle(item.archivedDouble())
                case 5:
                    // An update or the system ends the process. It would lose taps that no listener has received.
                    guard await comes({ heard.actions.count == expected.count }) else { break }
                    listening.cancel()
                    let registered = application.shortcutItems
                    application = UIApplication()
                    application.shortcutItems = registered
                    longpress = Longpress { [application] in application }
                    begin()
                    listening = heard.listen(longpress)
                default: _ = try? await longpress.refresh()
                }
                for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
            }
            let came = await comes { heard.actions.count >= expected.count }
            longpress.rearrange()
            let kept = await comes {
                let types = application.shortcutItems?.map(\.type) ?? []
                return types.starts(with: own.now) && types.filter { $0.hasPrefix("foreign") } == foreign
            }
            listening.cancel()
            guard came, heard.actions.count == expected.count else { return "\(expected) were tapped, \(heard.actions) came" }
            guard zip(heard.actions, expected).allSatisfy({ $0.id == $1.id && $1.outcomes.contains($0.outcome) }) else {
                return "\(heard.actions) instead of \(expected)"
            }
            return kept ? nil : "\(application.shortcutItems?.map(\.type) ?? []), own \(own.now), \(foreign)"
        }

        /// Without a bundle and a service, only what the known menu has is resolved.
        private static func expectation(_ item: UIApplicationShortcutItem) -> (id: String?, outcomes: Set<ResolvedAction.Outcome>) {
            let userInfo = QuickActionTap(item).userInfo
            if case .string(let id)? = userInfo["longpress.own"] { return (id, [.own]) }
            guard case .string(let id)? = userInfo["longpress.item"] else { return (nil, [.unknown]) }
            return (id, [.current, .equivalent, .unknown])
        }

        private func personal(_ id: String, at: Int, source: String = "recent", limit: Int = 2, audience: String? = nil) -> String {
            let tagged = audience.map { #","longpress.audience":"\#($0)""# } ?? ""
            return #"{"at":\#(at),"source":"\#(source)","limit":\#(limit),"type":"t.\#(id)","localizedTitle":"Message {name}","#
                + #""userInfo":{"longpress.schema":1,"longpress.item":"\#(id)","longpress.version":"2.0.0","longpress.revision":1,"#
                + #""longpress.language":"en","longpress.action":"a","longpress.url":"mail://compose?to={address}"\#(tagged)}}"#
        }

        private var titles: [String]? { application.shortcutItems?.map(\.localizedTitle) }

        @Test(arguments: [(10_000, ["t.message", "t.b"]), (0, ["t.a"])])
        func `the menu of the chosen arm is registered, with its personal items`(_ threshold: Int, _ expected: [String]) async throws {
            let candidate =
                #""rollout":{"id":"r1","threshold":\#(threshold),"revision":2,"items":[\#(entry("b", revision: 2))],"#
                + #""personal":[\#(personal("message", at: 0))]}"#
            await transport.answer("shortcuts", 200, menu(entry("a")).dropLast() + "," + candidate + "}")
            longpress.provide("recent") { _ in [["name": "Ana", "address": "ana@example.com"]] }
            configure(longpress, transport)
            #expect(await comes { types == expected })
            let arm = await longpress.client?.menu?.rollout?.arm
            #expect(arm == (threshold == 0 ? .control : .candidate))
        }

        @Test func `the phone fills in a personal item, in its place, and its tap says who`() async throws {
            let names = Value(["Ana", "Ben", "Cem"])
            longpress.provide("recent") { limit in
                names.now.prefix(limit + 9).map { ["name": $0, "address": "\($0.lowercased())+x@example.com", "more": "unused"] }
            }
            await transport.answer("shortcuts", 200, menu(entry("a") + "," + entry("b"), withPersonal: personal("message", at: 1)))
            configure(longpress, transport)
            #expect(await comes { titles == ["a", "Message Ana", "Message Ben", "b"] })
            let registered = try #require(application.shortcutItems?[1])
            // What is registered has the template.
            #expect(registered.userInfo?["longpress.url"] as? String == "mail://compose?to={address}")

            let heard = Heard()
            let listening = heard.listen(longpress)
            _ = await longpress.handle(registered)
            #expect(await comes { heard.actions.count == 1 })
            let action = try #require(heard.actions.first)
            #expect((action.outcome, action.id) == (.current, "message"))
            #expect(action.url?.absoluteString == "mail://compose?to=ana%2Bx%40example.com")
            #expect(action.values["name"] == "Ana" && action.item?.title == "Message Ana")
            listening.cancel()

            names.now = ["Dan"]
            longpress.personalDataDidChange("recent")
            #expect(await comes { titles == ["a", "Message Dan", "b"] })
            // After a log-in or log-out, no name of the previous person is shown.
            await transport.answer("shortcuts?audience=member", 500, "")
            names.now = []
            await longpress.update(audience: "member")
            #expect(titles == ["a", "b"])
            for request in await transport.requests {
                let text =
                    request.url.absoluteString + request.headers.description + String(decoding: request.body ?? Data(), as: UTF8.self)
                #expect(!text.contains("Ana") && !text.contains("ana") && !text.contains("longpress.values"))
            }
        }

        @Test func `a source that hangs, throws, is missing or lacks a value gives no item`() async {
            let hangs = Value(0)
            longpress.provide("hangs") { _ in
                hangs.now += 1
                try await Task.sleep(for: .seconds(3600))
                return []
            }
            longpress.provide("throws") { _ in throw ScriptedTransport.Unreachable() }
            longpress.provide("lacks") { _ in [["address": "a"], ["name": "Ana", "address": "c"]] }
            longpress.provide("many") { _ in Array(repeating: ["name": "Ben", "address": "d"], count: 10_000) }
            let sources = ["hangs", "throws", "missing", "lacks", "many"]
            let items = sources.enumerated().map { personal($1, at: $0, source: $1, limit: 4) }.joined(separator: ",")
            await transport.answer("shortcuts", 200, menu(entry("a"), withPersonal: items))
            configure(longpress, transport)
            let expected = ["Message Ana"] + Array(repeating: "Message Ben", count: 4) + ["a"]
            #expect(await comes { titles == expected })
            longpress.rearrange()
            longpress.rearrange()
            #expect(await comes { titles == expected } && hangs.now == 1)
            var told = longpress.diagnostics.makeAsyncIterator()
            #expect(await told.next() == .unknownSource("missing"))
        }

        @Test func `taps are reported when the app enters the background`() async {
            let system = SystemDouble(application)
            system.open()
            var configuration = LongpressConfiguration(server: URL(fileURLWithPath: "/"), app: "com.example.mail", version: "2.0")
            (configuration.countsTaps, configuration.staticTypes) = (true, ["a"])
            await transport.answer("counts", 202, "")
            longpress.configure(configuration, storage: NoStorage(), transport: transport)
            let heard = Heard()
            let listening = heard.listen(longpress)
            for n in 0..<3 { _ = await longpress.handle(tapped("a", n: n)) }
            #expect(await comes { heard.actions.count == 3 })
            system.goHome()
            let deadline = ContinuousClock.now + .seconds(30)
            var reports: [String] = []
            while reports.isEmpty, ContinuousClock.now < deadline {
                await Task.yield()
                reports = await transport.requests.filter { $0.url.lastPathComponent == "counts" }.map {
                    String(decoding: $0.body ?? Data(), as: UTF8.self)
                }
            }
            #expect(reports.count == 1 && reports[0].contains(#""counts":[{"type":"a","outcome":"static","count":3}]"#))
            listening.cancel()
        }

        @Test func `a preview link registers the draft, and its end what is live`() async throws {
            var configuration = LongpressConfiguration(server: URL(fileURLWithPath: "/"), app: "com.example.mail", version: "2.0")
            configuration.allowsPreviews = true
            await transport.answer("shortcuts", 200, menu(entry("a", revision: 1)))
            await transport.answer("shortcuts?preview=p1", 200, menu(entry("draft", revision: 0), revision: 0))
            longpress.configure(configuration, storage: NoStorage(), transport: transport)
            #expect(await comes { types == ["t.a"] })
            let link = try #require(URL(string: "mail://longpress-preview?id=p1&token=lpv_x"))
            #expect(longpress.handlePreview(link))
            #expect(await comes { types == ["t.draft"] })
            // A changed draft comes while the app is open.
            await transport.answer("shortcuts?preview=p1", 200, menu(entry("changed", revision: 0), revision: 0))
            #expect(await comes { types == ["t.changed"] })
            longpress.endPreview()
            #expect(await comes { types == ["t.a"] })
            #expect(!longpress.handlePreview(try #require(URL(string: "mail://inbox"))))
        }

        @Test func `mistakes are told`() async throws {
            var told = longpress.diagnostics.makeAsyncIterator()
            longpress.configure(server: URL(fileURLWithPath: "/"), bundled: "longpres.json")
            #expect(await told.next() == .missingBundle("longpres.json"))
            configure(longpress, transport)
            #expect(await told.next() == .configuredTwice)
            longpress.arrange { _ in [.own(id: "o", type: "t", title: "T", userInfo: ["longpress.item": .string("a"), "n": .integer(1)])] }
            #expect(await told.next() == .reservedKeys(id: "o"))
            #expect(await comes { types == ["t"] })
            let registered = try #require(application.shortcutItems?.first)
            #expect(QuickActionTap(registered).userInfo.keys.sorted() == ["longpress.own", "n"])

            let second = Longpress { [application] in application }
            configure(second, transport)
            var more = second.diagnostics.makeAsyncIterator()
            #expect(await more.next() == .secondRegistration)

            let other = Longpress { UIApplication() }
            other.configure(
                LongpressConfiguration(server: URL(fileURLWithPath: "/"), app: "com.example.mail", version: "2.0"),
                bundled: Data(#"{"schema":1}"#.utf8), storage: NoStorage(), transport: transport)
            var last = other.diagnostics.makeAsyncIterator()
            guard case .unusableBundle(.invalidResponse)? = await last.next() else { throw ScriptedTransport.Unreachable() }
            // All that were told before, again.
            var again = longpress.diagnostics.makeAsyncIterator()
            #expect(await again.next() == .missingBundle("longpres.json"))
        }

        @Test func `a view modifier follows its values`() async {
            var configuration = LongpressConfiguration(server: URL(fileURLWithPath: "/"), app: "com.example.mail", version: "2.0")
            longpress.follow(.init(configuration: configuration, bundled: nil))
            let first = longpress.client
            longpress.follow(.init(configuration: configuration, bundled: nil))
            #expect(longpress.client === first)
            configuration.languages = ["ko"]
            longpress.follow(.init(configuration: configuration, bundled: nil))
            #expect(longpress.client !== first)
            longpress.follow(audience: "member")
            let followed = longpress.client
            #expect(
                await { @MainActor in
                    for _ in 0..<10_000 where await followed?.registrable.audience != "member" { await Task.yield() }
                    return await followed?.registrable.audience
                }() == "member")
        }

        @Test func `who logs out has no member's item, also without a network`() async {
            await transport.answer("shortcuts?audience=member", 200, menu(entry("inbox", audience: "member"), audience: "member"))
            await longpress.update(audience: "member")
            configure(longpress, transport)
            #expect(await comes { types == ["t.inbox"] })
            await longpress.update(audience: nil)
            #expect(types == [])
            application.shortcutItems = [tapped("mine")]
            await longpress.update(audience: nil)
            #expect(types == ["mine"])
        }

        /// The number of requests for the menu.
        private var fetches: Int {
            get async { await transport.requests.count { $0.url.lastPathComponent == "shortcuts" } }
        }

        /// Waits for this number of requests for the menu. Returns whether they were made.
        private func fetched(_ count: Int) async -> Bool {
            let deadline = ContinuousClock.now + .seconds(30)
            while await fetches < count {
                guard ContinuousClock.now < deadline else { return false }
                await Task.yield()
            }
            return await fetches == count
        }

        @Test func `the service is asked when a scene enters the foreground`() async {
            await transport.answer("shortcuts", 200, menu(entry("a")))
            configure(longpress, transport)
            #expect(await fetched(1))
            #expect(await comes { types == ["t.a"] })
            await transport.answer("shortcuts", 200, menu(entry("b", revision: 2), revision: 2))
            let system = SystemDouble(application)
            system.open()
            #expect(await fetched(2))
            #expect(await comes { types == ["t.b"] })
        }

        @Test func `a tap that is out of date leads to a refresh, and one as served does not`() async {
            await transport.answer("shortcuts", 200, menu(entry("a")))
            configure(longpress, transport)
            #expect(await fetched(1))
            #expect(await comes { types == ["t.a"] })
            let heard = Heard()
            let listening = heard.listen(longpress)
            if let registered = application.shortcutItems?.first { _ = await longpress.handle(registered) }
            #expect(await comes { heard.actions.map(\.outcome) == [.current] })
            await transport.answer("shortcuts", 200, menu(entry("b", revision: 2), revision: 2))
            // A tap on an unknown menu's item: only the service could resolve it, and it does not answer.
            _ = await longpress.handle(tapped("other"))
            #expect(await comes { heard.actions.map(\.outcome) == [.current, .unknown] })
            #expect(await fetched(2))
            #expect(await comes { types == ["t.b"] })
            listening.cancel()
        }

        @Test func `who logs in has the member's menu`() async {
            await transport.answer("shortcuts", 200, menu(entry("a")))
            await transport.answer("shortcuts?audience=member", 200, menu(entry("inbox", audience: "member"), audience: "member"))
            configure(longpress, transport)
            #expect(await comes { types == ["t.a"] })
            await longpress.update(audience: "member")
            #expect(types == ["t.inbox"])
            await longpress.update(audience: nil)
            #expect(types == ["t.a"])
        }

        @Test func `userInfo keeps its kinds, and an item all its members`() throws {
            let userInfo: [String: PropertyListValue] = [
                "s": .string("한"), "i": .integer(1), "max": .integer(.max), "r": .real(1), "t": .boolean(true), "f": .boolean(false),
                "z": .integer(0), "d": .date(Date(timeIntervalSince1970: 1_769_850_000)), "b": .data(Data([0, 1, 2])),
                "list": .array([.integer(1), .boolean(true), .real(0.5), .dictionary(["k": .date(Date(timeIntervalSince1970: 0))])]),
            ]
            let item = QuickActionItem(
                type: "t", title: "Title", subtitle: "Sub", icon: .init(systemImageName: "star", templateImageName: "Pen", type: "search"),
                targetContentIdentifier: "inbox", userInfo: userInfo)
            application.shortcutItems = [.longpress(item)]
            let registered = try #require(application.shortcutItems?.first)
            #expect(QuickActionTap(registered).userInfo == userInfo)
            #expect(registered.userInfo?["d"] is NSDate && registered.userInfo?["b"] is NSData)
            #expect([registered.type, registered.localizedTitle, registered.localizedSubtitle] == ["t", "Title", "Sub"])
            #expect(registered.targetContentIdentifier as? String == "inbox")
            #expect(registered.icon?.source == "symbol star")
            #expect(!(registered is UIMutableApplicationShortcutItem))
            #expect(registered.isSame(as: .longpress(item)))
        }

        @Test func `a list is another one as soon as one member of an item is`() {
            func item(
                _ type: String = "t", _ title: String = "Title", _ subtitle: String? = "Sub", _ icon: String? = "star",
                _ target: String? = "inbox", _ userInfo: [String: PropertyListValue] = ["n": .integer(1)]
            ) -> UIApplicationShortcutItem {
                .longpress(
                    QuickActionItem(
                        type: type, title: title, subtitle: subtitle, icon: icon.map { .init(systemImageName: $0) },
                        targetContentIdentifier: target, userInfo: userInfo))
            }
            let others = [
                item("u"), item("t", "Other"), item("t", "Title", nil), item("t", "Title", "Sub", "heart"), item("t", "Title", "Sub", nil),
                item("t", "Title", "Sub", "star", nil), item("t", "Title", "Sub", "star", "inbox", [:]),
                item("t", "Title", "Sub", "star", "inbox", ["n": .real(1)]),
                item("t", "Title", "Sub", "star", "inbox", ["n": .boolean(true)]),
            ]
            #expect(item().isSame(as: item()))
            #expect(others.allSatisfy { !$0.isSame(as: item()) && !item().isSame(as: $0) })
        }

        @Test func `an icon is the symbol, else the image, else one of the 29 types`() {
            let names = [
                "compose", "play", "pause", "add", "location", "search", "share", "prohibit", "contact", "home", "markLocation", "favorite",
                "love", "cloud", "invitation", "confirmation", "mail", "message", "date", "time", "capturePhoto", "captureVideo", "task",
                "taskCompleted", "alarm", "bookmark", "shuffle", "audio", "update",
            ]
            #expect(names.compactMap { UIApplicationShortcutIcon.longpress(.init(type: $0))?.source } == names.map { "type \($0)" })
            #expect(UIApplicationShortcutIcon.longpress(.init(templateImageName: "Pen", type: "search"))?.source == "image Pen")
            #expect(UIApplicationShortcutIcon.longpress(.init(type: "later")) == nil)
            #expect(UIApplicationShortcutIcon.longpress(.init()) == nil)
        }

        @Test func `what is not a property list is left out of a tap, and the double raises where it is registered`() async {
            let item = UIApplicationShortcutItem(
                type: "t", localizedTitle: "t", localizedSubtitle: nil, icon: nil, userInfo: ["no": NSLocale(localeIdentifier: "en")])
            #expect(QuickActionTap(item).userInfo.isEmpty)
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    UIApplication().shortcutItems = [
                        UIApplicationShortcutItem(
                            type: "t", localizedTitle: "t", localizedSubtitle: nil, icon: nil,
                            userInfo: ["no": NSLocale(localeIdentifier: "en")])
                    ]
                }
            }
        }
    }
}
