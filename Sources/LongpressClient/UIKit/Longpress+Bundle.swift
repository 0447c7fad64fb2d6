#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    public import Foundation

    @available(iOSApplicationExtension, unavailable)
    extension Longpress {
        /// For the app that runs: identifier, versions, languages and static items are its bundle's.
        /// What `longpress bundle` printed is named `bundled` in the app's resources.
        public func configure(server: URL, bundled: String?, audience: String? = nil, bundle: Bundle = .main) {
            guard client == nil else { return }
            let file = bundled.flatMap { bundle.url(forResource: $0, withExtension: nil) }
            configure(
                .current(server: server, audience: audience, bundle: bundle), bundled: file.flatMap { try? Data(contentsOf: $0) })
        }
    }
#endif
