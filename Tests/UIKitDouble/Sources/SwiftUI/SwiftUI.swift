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
    if let primitive = view as? any PrimitiveDouble { primitive.appear() } else { appearDouble(view.body) }
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
    /// https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { TaskDouble(content: self, action: action) }
}
