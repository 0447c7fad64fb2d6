#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import Foundation
    public import SwiftUI

    @available(iOSApplicationExtension, unavailable)
    extension View {
        /// Configures `Longpress.shared`, which registers the menu and keeps it fresh. Only the first configuration of the app has an
        /// effect.
        /// - Parameters:
        ///   - server: the base URL of the Longpress service, or of a backend that forwards to it.
        ///   - bundled: the name of a file in the app's resources with the response of `GET …/bundle` (<doc:Offline>), or nil.
        ///   - audience: the variant of the menu; nil for `default`. Change it later with ``Longpress/update(audience:)``.
        @MainActor
        public func longpress(server: URL, bundled: String? = nil, audience: String? = nil) -> some View {
            Longpress.shared.configure(server: server, bundled: bundled, audience: audience)
            return self
        }

        /// Calls a closure for each tap while the view is on screen. If several views do so, the one that started first gets every tap.
        /// - Parameter act: gets the resolved tap, on the main actor.
        @MainActor
        public func onQuickAction(perform act: @escaping @MainActor (ResolvedAction) -> Void) -> some View {
            task {
                for await action in Longpress.shared.actions { act(action) }
            }
        }
    }
#endif
