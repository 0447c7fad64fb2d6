#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import Foundation

    @available(iOSApplicationExtension, unavailable)
    extension Longpress {
        /// Configures quick actions with the identifier, version, build and static items of a bundle, and the person's languages.
        ///
        /// Only the first call has an effect.
        /// - Parameters:
        ///   - server: the base URL of the Longpress service, or of a backend that forwards to it.
        ///   - bundled: the name of a file in the app's resources with the response of `GET …/bundle` (<doc:Offline>), or nil.
        ///   - audience: the variant of the menu; nil for `default`. Change it later with ``update(audience:)``.
        ///   - bundle: the app's bundle.
        public func configure(server: URL, bundled: String? = nil, audience: String? = nil, bundle: Bundle = .main) {
            let configuration = LongpressConfiguration.current(server: server, audience: audience, bundle: bundle)
            guard client == nil, let data = bundled.flatMap({ self.data(of: $0, in: bundle) }) else { return configure(configuration) }
            configure(configuration, bundled: data)
        }
    }
#endif
