/// Only in the double: what iOS does with an app, as far as quick actions are concerned. It calls the delegates in the documented order.
///
/// A cold launch: `didFinishLaunching`, `configurationForConnecting` for a new session, `willConnectTo`, then the scene enters the
/// foreground and is active. A tap on an app whose scene is connected: the scene enters the foreground, `performActionFor`, active.
/// https://developer.apple.com/documentation/uikit/about-the-app-launch-sequence
@MainActor public final class SystemDouble {
    public let application: UIApplication
    /// Whether the Info.plist has a `UIApplicationSceneManifest`.
    public let hasScenes: Bool
    /// The name of the configuration that the manifest declares first.
    public let configurationName: String?
    public private(set) var scene: UIWindowScene?
    /// The calls, in their order.
    public private(set) var calls: [String] = []

    private var session: UISceneSession?
    private var isRunning = false

    public init(_ application: UIApplication = .shared, hasScenes: Bool = true, configurationName: String? = nil) {
        (self.application, self.hasScenes, self.configurationName) = (application, hasScenes, configurationName)
    }

    /// Starts the app, or brings it to the foreground, with the tap on an item.
    public func open(_ tapped: UIApplicationShortcutItem? = nil) {
        let tapped = tapped?.archivedDouble()
        guard hasScenes else { return openWithoutScenes(tapped) }
        if !isRunning {
            isRunning = true
            calls.append("didFinishLaunching")
            // With scenes, the tap is only in the connection options.
            _ = application.delegate?.application(application, didFinishLaunchingWithOptions: nil)
        }
        if let scene {
            enterForeground(scene)
            if let tapped { perform(tapped, on: scene) }
            activate(scene)
        } else {
            connect(tapped)
        }
    }

    /// The person goes to the Home Screen.
    public func goHome() {
        if let scene { NotificationCenter.default.post(name: UIScene.didEnterBackgroundNotification, object: scene) }
    }

    /// The system removes the scene while the app is in the background. Its session stays.
    public func disconnect() {
        guard let scene else { return }
        calls.append("sceneDidDisconnect")
        NotificationCenter.default.post(name: UIScene.didDisconnectNotification, object: scene)
        scene.delegate?.sceneDidDisconnect(scene)
        self.scene = nil
    }

    /// The person closes the window, which ends the scene and the session.
    public func closeWindow() {
        disconnect()
        session = nil
    }

    private func openWithoutScenes(_ tapped: UIApplicationShortcutItem?) {
        if !isRunning {
            isRunning = true
            calls.append("didFinishLaunching")
            let options = tapped.map { [UIApplication.LaunchOptionsKey.shortcutItem: $0] }
            // "Return false … to prevent the system from calling application(_:performActionFor:completionHandler:)."
            guard application.delegate?.application(application, didFinishLaunchingWithOptions: options) ?? true else { return }
        }
        guard let tapped else { return }
        calls.append("application performActionFor")
        application.delegate?.application(application, performActionFor: tapped) { self.calls.append("completed \($0)") }
    }

    private func connect(_ tapped: UIApplicationShortcutItem?) {
        let options = UIScene.ConnectionOptions(shortcutItem: tapped)
        let session = self.session ?? configured(options)
        self.session = session
        let scene = UIWindowScene(session: session, connectionOptions: options)
        self.scene = scene
        if let delegateClass = session.configuration.delegateClass as? UIResponder.Type {
            scene.delegate = delegateClass.init() as? any UISceneDelegate
        }
        calls.append("willConnectTo")
        scene.delegate?.scene(scene, willConnectTo: session, options: options)
        enterForeground(scene)
        activate(scene)
    }

    /// Called only for a new session, which keeps its configuration.
    private func configured(_ options: UIScene.ConnectionOptions) -> UISceneSession {
        let declared = UISceneConfiguration(name: configurationName, sessionRole: .windowApplication)
        let session = UISceneSession(persistentIdentifier: UUID().uuidString, role: .windowApplication, configuration: declared)
        calls.append("configurationForConnecting")
        if let delegate = application.delegate {
            session.configuration = delegate.application(application, configurationForConnecting: session, options: options)
        }
        return session
    }

    private func perform(_ tapped: UIApplicationShortcutItem, on scene: UIWindowScene) {
        calls.append("windowScene performActionFor")
        (scene.delegate as? any UIWindowSceneDelegate)?.windowScene(scene, performActionFor: tapped) {
            self.calls.append("completed \($0)")
        }
    }

    private func enterForeground(_ scene: UIScene) {
        NotificationCenter.default.post(name: UIScene.willEnterForegroundNotification, object: scene)
    }

    private func activate(_ scene: UIScene) {
        NotificationCenter.default.post(name: UIScene.didActivateNotification, object: scene)
    }
}
