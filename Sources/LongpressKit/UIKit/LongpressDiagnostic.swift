#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    /// A mistake in how an app uses the library. See ``Longpress/diagnostics``.
    public enum LongpressDiagnostic: Sendable, Equatable, CustomStringConvertible {
        /// The app's resources have no file with this name.
        case missingBundle(String)
        /// The bundled document cannot be used: it is of another app or version, or it is damaged.
        case unusableBundle(LongpressError)
        /// `configure` was called again. The first configuration stays.
        case configuredTwice
        /// The menu has personal items of a source that the app does not provide.
        case unknownSource(String)
        /// The own item with this id has keys in `userInfo` that begin with `longpress.`.
        case reservedKeys(id: String)
        /// Another `Longpress` already registers items with the same registrar.
        case secondRegistration

        /// A sentence for the developer.
        public var description: String {
            switch self {
            case .missingBundle(let name): "The app's resources do not contain \(name). Check the name, and the target of the file."
            case .unusableBundle(let error): "The bundled menu is ignored. \(error.localizedDescription)"
            case .configuredTwice: "Longpress is already configured. The first configuration stays."
            case .unknownSource(let name): "The menu has personal items from \(name). Call provide(\"\(name)\") at launch."
            case .reservedKeys(let id): "Keys of userInfo that begin with longpress. are left out of the own item \(id). Rename them."
            case .secondRegistration: "Another Longpress already registers quick actions. Use one of them."
            }
        }
    }

    /// Passes mistakes on to the log and to the listeners.
    @MainActor
    final class Diagnostics {
        /// Whether a mistake stops a debug build.
        static var stopsDebugBuilds = true
        private static let mostKept = 20

        private var kept: [LongpressDiagnostic] = []
        private var listeners: [Int: AsyncStream<LongpressDiagnostic>.Continuation] = [:]
        private var lastListener = 0

        func report(_ diagnostic: LongpressDiagnostic) {
            guard !kept.contains(diagnostic) else { return }
            if kept.count == Self.mostKept { kept.removeFirst() }
            kept.append(diagnostic)
            for listener in listeners.values { listener.yield(diagnostic) }
            Log.mistaken(diagnostic)
            if Self.stopsDebugBuilds { assertionFailure(diagnostic.description) }
        }

        /// Begins with the mistakes so far.
        func stream() -> AsyncStream<LongpressDiagnostic> {
            AsyncStream { continuation in
                lastListener += 1
                let number = lastListener
                for diagnostic in kept { continuation.yield(diagnostic) }
                listeners[number] = continuation
                continuation.onTermination = { [weak self] _ in
                    Task { @MainActor in self?.listeners[number] = nil }
                }
            }
        }
    }
#endif
