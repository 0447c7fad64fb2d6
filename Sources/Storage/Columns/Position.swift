import QuickActions
import Shortcuts

extension AppVersion {
    /// A sort key: its text order is version order.
    var position: String { sortable(description) }
}

extension AppBuild {
    /// A sort key: its text order is `releaseOrder`, in which a version without a build comes first.
    var position: String {
        build.map { "\(version.position)+\(sortable($0.description))" } ?? version.position
    }
}

/// Three parts, each padded to 18 digits, the maximum length of a valid part.
private func sortable(_ numbers: String) -> String {
    let parts = numbers.split(separator: ".").map { part in
        String(repeating: "0", count: 18 - min(18, part.utf8.count)) + part
    }
    let zero = String(repeating: "0", count: 18)
    return (parts + Array(repeating: zero, count: 3 - min(3, parts.count))).joined(separator: ".")
}
