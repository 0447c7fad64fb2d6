#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import Foundation
    public import SwiftUI

    @available(iOSApplicationExtension, unavailable)
    extension View {
        /// Configures `Longpress.shared`, which registers the menu and keeps it fresh. If a value changes, it is configured again. In an
        /// Xcode preview, nothing happens.
        /// - Parameters:
        ///   - server: the base URL of the Longpress service, or of a backend that forwards to it.
        ///   - bundled: the name of a file in the app's resources with the response of `GET …/bundle` (<doc:Offline>), or nil.
        ///   - audience: the variant of the menu; nil for `default`. ``longpressAudience(_:)`` changes it.
        @MainActor
        public func longpress(server: URL, bundled: String? = nil, audience: String? = nil) -> some View {
            longpress(.current(server: server, audience: audience), bundled: bundled)
        }

        /// Configures `Longpress.shared` with a custom configuration. If it changes, `Longpress.shared` is configured again. In an Xcode
        /// preview, nothing happens.
        /// - Parameters:
        ///   - configuration: the service, the app and its version.
        ///   - bundled: the name of a file in the app's resources with the response of `GET …/bundle` (<doc:Offline>), or nil.
        @MainActor
        public func longpress(_ configuration: LongpressConfiguration, bundled: String? = nil) -> some View {
            if !isPreview { Longpress.shared.follow(.init(configuration: configuration, bundled: bundled)) }
            return self
        }

        /// Changes the audience whenever the value changes, for example when the person logs in or out.
        /// - Parameter audience: the variant of the menu; nil for `default`.
        @MainActor
        public func longpressAudience(_ audience: String?) -> some View {
            if !isPreview { Longpress.shared.follow(audience: audience) }
            return self
        }

        /// Calls a closure for each tap while the view is on screen. A tap goes to a view in its scene. If several views of a scene
        /// listen, the view that started first gets every tap. In an Xcode preview, nothing happens.
        /// - Parameter act: gets the resolved tap, on the main actor. If the view changes, the newest closure is called.
        @MainActor
        public func onQuickAction(perform act: @escaping @MainActor (ResolvedAction) -> Void) -> some View {
            modifier(QuickActionListener(act: act))
        }
    }

    /// Whether Xcode runs the app for a preview.
    @MainActor private var isPreview: Bool { ProcessInfo.processInfo.environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" }

    @available(iOSApplicationExtension, unavailable)
    private struct QuickActionListener: ViewModifier {
        let act: @MainActor (ResolvedAction) -> Void
        @State private var place = ListenerPlace()

        func body(content: Content) -> some View {
            place.act = act
            return content.background(SceneReader(place: place)).task {
                guard !isPreview else { return }
                let scene = await place.scene
                for await action in QuickActionTaps(Longpress.shared.queue, in: scene) { place.act(action) }
            }
        }
    }

    /// The newest closure of a listener, and the scene that its view is in.
    @MainActor
    private final class ListenerPlace {
        var act: @MainActor (ResolvedAction) -> Void = { _ in }
        private var known: String??
        private var waiting: [CheckedContinuation<String?, Never>] = []

        nonisolated init() {}

        /// The persistent identifier of the scene's session. Waits until the view is in a window.
        var scene: String? {
            get async {
                if let known { return known }
                return await withCheckedContinuation { waiting.append($0) }
            }
        }

        func enter(_ scene: String?) {
            known = .some(scene)
            for continuation in waiting { continuation.resume(returning: scene) }
            waiting = []
        }
    }

    /// An empty view that learns which scene it is in.
    private struct SceneReader: UIViewRepresentable {
        let place: ListenerPlace

        func makeUIView(context: Context) -> SceneReadingView { SceneReadingView(place) }
        func updateUIView(_ view: SceneReadingView, context: Context) {}
    }

    private final class SceneReadingView: UIView {
        private let place: ListenerPlace

        init(_ place: ListenerPlace) {
            self.place = place
            super.init(frame: .zero)
            isHidden = true
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) { nil }

        override func didMoveToWindow() {
            super.didMoveToWindow()
            if let window { place.enter(window.windowScene?.session.persistentIdentifier) }
        }
    }
#endif
