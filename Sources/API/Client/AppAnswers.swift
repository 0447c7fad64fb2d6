import QuickActions
import Shortcuts
import Synchronization

/// What is kept of one app's answers, until the app changes.
final class AppAnswers: Sendable {
    let id: AppID
    private let hasChanged = Atomic<Bool>(false)
    /// Where they are kept. Belongs to the lock of `RenderedAnswers`.
    nonisolated(unsafe) var places: [Int] = []

    init(_ id: AppID) {
        self.id = id
    }

    /// Asked by event loops without a lock, before they answer with a copy of their own.
    var isCurrent: Bool { !hasChanged.load(ordering: .acquiring) }

    func expire() { hasChanged.store(true, ordering: .releasing) }
}
