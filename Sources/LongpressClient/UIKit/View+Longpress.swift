#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import Foundation
    public import SwiftUI

    @available(iOSApplicationExtension, unavailable)
    extension View {
        /// Says where the service is, once for the app: registers the menu and keeps it fresh.
        /// - Parameters:
        ///   - server: the base URL of Longpress, or of a backend that passes its answers on.
        ///   - bundled: the name of what `longpress bundle` printed, in the app's resources.
        ///   - audience: the variant of the menu, as far as it is known at launch; later `Longpress.update(audience:)`.
        @MainActor
        public func longpress(server: URL, bundled: String? = nil, audience: String? = nil) -> some View {
            Longpress.shared.configure(server: server, bundled: bundled, audience: audience)
            return self
        }

        /// Acts on taps, as long as the view is there. Of several such views the first gets every tap.
        @MainActor
        public func onQuickAction(perform act: @escaping @MainActor (ResolvedAction) -> Void) -> some View {
            task {
                for await action in Longpress.shared.actions { act(action) }
            }
        }
    }
#endif
