import Shortcuts

extension AppSnapshot {
    /// What it takes in memory is counted in documents: its sets, its releases, and one for the app itself.
    var documents: Int {
        1 + releases.count + timelines.values.reduce(0) { $0 + $1.sets.count }
    }
}
