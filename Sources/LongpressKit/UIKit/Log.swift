#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    #if canImport(os)
        internal import os
    #endif

    /// Messages for the system's log. They contain no titles and nothing of `userInfo`.
    enum Log {
        static func registered(_ count: Int) { note("registered \(count) quick actions") }

        static func resolved(_ action: ResolvedAction) { note("a tap is \(action.outcome.rawValue)") }

        static func failed(_ error: LongpressError) { note("the menu could not be refreshed: \(error)") }

        static func refreshed(_ update: MenuUpdate) {
            switch update {
            case .unchangedStale(let error): note("the menu is unchanged, because it could not be refreshed: \(error)")
            case .unchanged: note("the menu is unchanged")
            case .changed(let menu): note("the menu is revision \(menu.revision)")
            case .keep: note("no menu for this version: the registered items stay")
            }
        }

        static func mistaken(_ diagnostic: LongpressDiagnostic) {
            #if canImport(os)
                Logger(subsystem: "longpress", category: "quick-actions").error("\(diagnostic.description, privacy: .public)")
            #endif
        }

        private static func note(_ message: String) {
            #if canImport(os)
                Logger(subsystem: "longpress", category: "quick-actions").info("\(message, privacy: .public)")
            #endif
        }
    }
#endif
