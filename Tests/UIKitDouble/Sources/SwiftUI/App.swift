/// https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    /// https://developer.apple.com/documentation/swiftui/app/main()
    @MainActor @preconcurrency public static func main() {
        // Created and used on the main actor.
        nonisolated(unsafe) let app = Self()
        SwiftUIDelegate.content = { app.body.appearDouble() }
        let delegate = SwiftUIDelegate.adapted?.init() as? any UIApplicationDelegate
        SwiftUIDelegate.delegate = delegate
        AppDouble.run(SwiftUIDelegate(), hasScenes: true)
    }
}

/// https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency public protocol Scene {
    /// Only in the double: shows the scene on screen.
    func appearDouble()
}

/// https://developer.apple.com/documentation/swiftui/scenebuilder
@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// https://developer.apple.com/documentation/swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
    private let content: () -> Content

    public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }

    public func appearDouble() { SwiftUI.appearDouble(content()) }
}

/// https://developer.apple.com/documentation/swiftui/uiapplicationdelegateadaptor
@MainActor @preconcurrency @propertyWrapper public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    /// https://developer.apple.com/documentation/swiftui/uiapplicationdelegateadaptor/init(_:)
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        SwiftUIDelegate.adapted = delegateType as? UIResponder.Type
    }

    public var wrappedValue: DelegateType {
        guard let delegate = SwiftUIDelegate.delegate as? DelegateType else { preconditionFailure("the app does not run") }
        return delegate
    }
}

/// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper public struct State<Value> {
    @MainActor private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box: Box

    @MainActor public init(wrappedValue: Value) { box = Box(wrappedValue) }

    @MainActor public var wrappedValue: Value {
        get { box.value }
        nonmutating set {
            box.value = newValue
            // An optional with a value has one child.
            let shown = Mirror(reflecting: newValue).children.first?.value ?? (newValue as Any)
            AppDouble.tell("state", String(describing: shown))
        }
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// https://developer.apple.com/documentation/swiftui/state/init()
    @MainActor public init() { self.init(wrappedValue: nil) }
}

/// The app delegate of SwiftUI. It forwards calls to the adaptor's delegate and to the delegate of the scene's configuration, and fills the
/// scene with the app's content. https://developer.apple.com/documentation/swiftui/uiapplicationdelegateadaptor: "Scene delegates".
final class SwiftUIDelegate: UIResponder, UIApplicationDelegate {
    static var adapted: UIResponder.Type?
    static var delegate: (any UIApplicationDelegate)?
    static var content: () -> Void = {}
    fileprivate static var sceneDelegateClass: AnyClass?

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configured = Self.delegate?.application(application, configurationForConnecting: connectingSceneSession, options: options)
        Self.sceneDelegateClass = configured?.delegateClass
        let configuration = UISceneConfiguration(name: configured?.name, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = SwiftUISceneDelegate.self
        return configuration
    }
}

final class SwiftUISceneDelegate: UIResponder, UIWindowSceneDelegate {
    private let delegate = (SwiftUIDelegate.sceneDelegateClass as? UIResponder.Type)?.init() as? any UIWindowSceneDelegate

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {
        if let scene = scene as? UIWindowScene { windowDouble = UIWindow(windowScene: scene) }
        SwiftUIDelegate.content()
        delegate?.scene(scene, willConnectTo: session, options: connectionOptions)
    }

    func sceneDidDisconnect(_ scene: UIScene) {
        delegate?.sceneDidDisconnect(scene)
        for task in tasksDouble { task.cancel() }
        tasksDouble = []
    }

    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem, completionHandler: @escaping (Bool) -> Void
    ) {
        guard let delegate else { return completionHandler(false) }
        delegate.windowScene(windowScene, performActionFor: shortcutItem, completionHandler: completionHandler)
    }
}
