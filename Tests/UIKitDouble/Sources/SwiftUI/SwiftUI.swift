@_exported import UIKit

/// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public typealias Body = Never
    public var body: Never { preconditionFailure("a primitive view has no body") }
}

/// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    @MainActor public static func buildBlock() -> EmptyView { EmptyView() }
}

/// Only in the double: a view that does not consist of others.
@MainActor protocol PrimitiveDouble {
    func appear()
}

/// Only in the double: what the system does when a view appears on screen.
@MainActor public func appearDouble(_ view: some View) {
    if let primitive = view as? any PrimitiveDouble {
        primitive.appear()
    } else if let representable = view as? any UIViewRepresentable {
        representable.appearDouble()
    } else {
        appearDouble(view.body)
    }
}

/// https://developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: View, PrimitiveDouble {
    public init() {}
    public var body: Never { preconditionFailure("primitive") }
    func appear() {}
}

/// https://developer.apple.com/documentation/swiftui/text
public struct Text: View, PrimitiveDouble {
    public init(_ content: String) {}
    public var body: Never { preconditionFailure("primitive") }
    func appear() {}
}

/// https://developer.apple.com/documentation/swiftui/viewmodifier
@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = ModifiedDouble<Self>
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// Only in the double: the view that a modifier is applied to.
public struct ModifiedDouble<Modifier>: View, PrimitiveDouble {
    let content: any View
    public var body: Never { preconditionFailure("primitive") }
    func appear() { appearDouble(content) }
}

struct ModifyingDouble<Modifier: ViewModifier>: View, PrimitiveDouble {
    let content: any View
    let modifier: Modifier
    var body: Never { preconditionFailure("primitive") }
    func appear() { appearDouble(modifier.body(content: ModifiedDouble(content: content))) }
}

/// https://developer.apple.com/documentation/swiftui/uiviewrepresentable
@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    typealias Context = UIViewRepresentableContext<Self>
    @MainActor @preconcurrency func makeUIView(context: Context) -> UIViewType
    @MainActor @preconcurrency func updateUIView(_ uiView: UIViewType, context: Context)
}

/// https://developer.apple.com/documentation/swiftui/uiviewrepresentablecontext
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}

extension UIViewRepresentable {
    public var body: Never { preconditionFailure("primitive") }

    fileprivate func appearDouble() {
        let view = makeUIView(context: UIViewRepresentableContext())
        updateUIView(view, context: UIViewRepresentableContext())
        view.moveDouble(to: windowDouble)
    }
}

/// Only in the double: the window that views appear in.
@MainActor public var windowDouble = UIWindow(frame: .zero)

struct BackgroundDouble<Content: View, Background: View>: View, PrimitiveDouble {
    let content: Content
    let background: Background
    var body: Never { preconditionFailure("primitive") }
    func appear() {
        appearDouble(background)
        appearDouble(content)
    }
}

struct TaskDouble<Content: View>: View, PrimitiveDouble {
    let content: Content
    let action: @Sendable () async -> Void
    var body: Never { preconditionFailure("primitive") }
    func appear() {
        appearDouble(content)
        tasksDouble.append(Task { await action() })
    }
}

/// Only in the double: the tasks of the views on screen. They end when the views disappear.
@MainActor public var tasksDouble: [Task<Void, Never>] = []

extension View {
    /// https://developer.apple.com/documentation/swiftui/view/modifier(_:)
    public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> some View { ModifyingDouble(content: self, modifier: modifier) }

    /// https://developer.apple.com/documentation/swiftui/view/background(_:alignment:)
    public func background(_ background: some View) -> some View { BackgroundDouble(content: self, background: background) }

    /// https://developer.apple.com/documentation/swiftui/view/onopenurl(perform:)
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }

    /// https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { TaskDouble(content: self, action: action) }
}
