import SwiftUI
import Testing

@testable import LongpressKit

/// How the delegates of a test handle taps.
@MainActor private enum Habits {
    static var longpress = Longpress()
    /// Whether the app delegate forwards taps while a scene is configured.
    static var takesWhileConfiguring = true
    /// How often each delegate passes a tap on again.
    static var again = 0
    /// Whether the scene delegate performs a cold tap, too.
    static var performsCold = false
}

private final class AppDelegate: LongpressAppDelegate {
    override var longpress: Longpress { Habits.longpress }

    override func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = SceneDelegate.self
        guard Habits.takesWhileConfiguring else { return configuration }
        let theirs = super.application(application, configurationForConnecting: connectingSceneSession, options: options)
        #expect(theirs.delegateClass is LongpressSceneDelegate.Type)
        for _ in 0..<Habits.again { Habits.longpress.handle(options, session: connectingSceneSession) }
        return configuration
    }
}

private final class SceneDelegate: LongpressSceneDelegate {
    override var longpress: Longpress { Habits.longpress }

    override func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        for _ in 0...Habits.again { super.scene(scene, willConnectTo: session, options: connectionOptions) }
        guard Habits.performsCold, let item = connectionOptions.shortcutItem?.archivedDouble() else { return }
        Habits.longpress.take(item, by: .performing)
    }

    override func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem, completionHandler: @escaping (Bool) -> Void
    ) {
        for _ in 0..<Habits.again { Habits.longpress.take(shortcutItem, by: .performing) }
        super.windowScene(windowScene, performActionFor: shortcutItem, completionHandler: completionHandler)
    }
}

/// The delegate of an app that only inherits from the library's app delegate.
private final class PlainAppDelegate: LongpressAppDelegate {
    override var longpress: Longpress { Habits.longpress }
}

/// A scene delegate that does not handle quick actions.
private final class TheirSceneDelegate: UIResponder, UIWindowSceneDelegate {}

extension AppTests {
    @MainActor
    @Suite struct TapTests {
        private let application = UIApplication()
        private let delegate = AppDelegate()
        private let system: SystemDouble

        init() {
            Diagnostics.stopsDebugBuilds = false
            application.delegate = delegate
            system = SystemDouble(application)
            Habits.longpress = Longpress { [application] in application }
            (Habits.takesWhileConfiguring, Habits.again, Habits.performsCold) = (true, 0, false)
        }

        @Test func `the system calls the delegates in the documented order`() async {
            configure(Habits.longpress, static: ["a"])
            system.open(tapped("a"))
            system.open()
            system.open(tapped("a", n: 1))
            system.disconnect()
            system.open(tapped("a", n: 2))
            system.closeWindow()
            system.open(tapped("a", n: 3))
            #expect(
                system.calls == [
                    "didFinishLaunching", "configurationForConnecting", "willConnectTo", "windowScene performActionFor", "completed true",
                    "sceneDidDisconnect", "willConnectTo", "sceneDidDisconnect", "configurationForConnecting", "willConnectTo",
                ])
            let heard = Heard()
            let listening = heard.listen(Habits.longpress)
            #expect(await comes { heard.numbers.count == 4 })
            #expect(heard.numbers == [0, 1, 2, 3])
            #expect(heard.actions.allSatisfy { $0.outcome == .static && $0.item?.type == "a" && !$0.needsRefresh })
            listening.cancel()
        }

        @Test func `an app without scenes gets its taps`() async {
            let system = SystemDouble(application, hasScenes: false)
            configure(Habits.longpress, static: ["a"])
            system.open(tapped("a", n: 1))
            system.open(tapped("a", n: 2))
            #expect(system.calls.filter { $0 == "completed true" }.count == 2)
            let heard = Heard()
            let listening = heard.listen(Habits.longpress)
            #expect(await comes { heard.numbers == [1, 2] })
            listening.cancel()
        }

        @Test func `handle says true, and is not in the way of the delegates`() async {
            configure(Habits.longpress, static: ["a"])
            let item = tapped("a")
            #expect(await Habits.longpress.handle(item))
            #expect(await Habits.longpress.handle(item))
            let heard = Heard()
            let listening = heard.listen(Habits.longpress)
            #expect(await comes { heard.numbers == [0] && Habits.longpress.queue.isEmpty })
            listening.cancel()
        }

        @Test func `the app delegate alone takes a cold tap, where the scene's delegate is another's`() async {
            UISceneConfiguration.manifestDouble["Theirs"] = TheirSceneDelegate.self
            let system = SystemDouble(application, configurationName: "Theirs")
            application.delegate = PlainAppDelegate()
            configure(Habits.longpress, static: ["a"])
            system.open(tapped("a", n: 7))
            let heard = Heard()
            let listening = heard.listen(Habits.longpress)
            #expect(await comes { heard.numbers == [7] })
            #expect(system.scene?.delegate is TheirSceneDelegate)
            listening.cancel()
        }

        @Test func `it is configured once`() {
            configure(Habits.longpress, static: ["a"])
            let first = Habits.longpress.client
            configure(Habits.longpress, static: ["b"])
            #expect(Habits.longpress.client === first)
        }

        @Test func `a tap on what another version registered is resolved by the service`() async {
            let transport = ScriptedTransport()
            await transport.answer("shortcuts", 200, menu(entry("a")))
            await transport.answer(
                "taps", 200,
                #"{"outcome":"removed","item":null,"url":"mail://inbox","refresh":true,"app":"com.example.mail","version":"2.0.0"}"#)
            configure(Habits.longpress, transport)
            #expect(await comes { application.registrationsDouble == 1 })
            let heard = Heard()
            let listening = heard.listen(Habits.longpress)
            system.open(tapped("other"))
            #expect(await comes { heard.actions.count == 1 })
            #expect(heard.actions.first?.needsRefresh == true)
            listening.cancel()
        }

        @Test func `an action says in which scene`() async {
            configure(Habits.longpress, static: ["a"])
            system.open(tapped("a"))
            system.open(tapped("a", n: 1))
            let heard = Heard()
            let listening = heard.listen(Habits.longpress)
            #expect(await comes { heard.actions.count == 2 })
            let session = system.scene?.session.persistentIdentifier
            #expect(session != nil && heard.actions.map(\.scene) == [session, session])
            listening.cancel()
        }

        @Test func `a tap goes to the listener in its scene, whoever started first`() async throws {
            let longpress = Habits.longpress
            configure(longpress, static: ["a"])
            system.open()
            let first = try #require(system.scene)
            let other = SystemDouble(application)
            other.open()
            let second = try #require(other.scene)
            let (here, there) = (Heard(), Heard())
            let listening = [here.listen(longpress.actions(in: first))]
            #expect(await comes { here.isListening })
            _ = await longpress.handle(tapped("a", n: 1), scene: second)
            // The view of a new scene appears after its tap.
            let more = there.listen(longpress.actions(in: second))
            _ = await longpress.handle(tapped("a", n: 2), scene: first)
            _ = await longpress.handle(tapped("a", n: 3), scene: second)
            #expect(await comes { here.numbers == [2] && there.numbers == [1, 3] })
            more.cancel()
            // Without a listener in its scene, after a second, to the first.
            _ = await longpress.handle(tapped("a", n: 4), scene: second)
            #expect(await comes { here.numbers == [2, 4] })
            for task in listening { task.cancel() }
        }

        @Test func `an action can be fed in a test`() async {
            let heard = Heard()
            let listening = heard.listen(Habits.longpress)
            Habits.longpress.deliver(ResolvedAction(outcome: .retired, type: "t", id: "old", url: URL(string: "mail://inbox")))
            #expect(await comes { heard.actions.map(\.id) == ["old"] })
            listening.cancel()
        }

        @Test func `in random orders every tap comes once, in order`() async {
            let first = UInt64.random(in: 0...(UInt64.max - 2_000))
            for seed in first..<first + 2_000 {
                var random = SeededGenerator(state: seed)
                guard await sequence(&random) else {
                    Issue.record("seed \(seed)")
                    return
                }
            }
        }

        /// Cold, warm and repeated taps; configuring, listening and leaving at any time; removed scenes and closed windows.
        private func sequence(_ random: inout SeededGenerator) async -> Bool {
            let application = UIApplication()
            let delegate = AppDelegate()
            application.delegate = delegate
            let system = SystemDouble(application)
            Habits.longpress = Longpress { application }
            let longpress = Habits.longpress
            Habits.takesWhileConfiguring = .random(using: &random)
            Habits.again = .random(in: 0...2, using: &random)
            Habits.performsCold = .random(using: &random)
            let heard = Heard()
            var (tapped, listening): ([Int64], [Task<Void, Never>]) = ([], [])
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2:
                    // Few values, so that equal ones follow one another.
                    let n = Int.random(in: 0..<3, using: &random)
                    tapped.append(Int64(n))
                    system.open(UIKitTests.tapped("a", n: n))
                case 3: system.open()
                case 4: system.disconnect()
                case 5: system.closeWindow()
                case 6: configure(longpress, static: ["a"])
                default: listening.append(heard.listen(longpress, upTo: Int.random(in: 1...2, using: &random)))
                }
                for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
            }
            configure(longpress, static: ["a"])
            listening.append(heard.listen(longpress))
            let came = await comes { heard.numbers.count >= tapped.count }
            for task in listening { task.cancel() }
            guard came, heard.numbers == tapped, longpress.queue.taps == tapped.count else {
                Issue.record("tapped \(tapped), heard \(heard.numbers), again \(Habits.again), performs cold ones: \(Habits.performsCold)")
                return false
            }
            return true
        }
    }
}
