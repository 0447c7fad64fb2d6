import QuickActions
import Shortcuts

/// Variables of the environment that look like settings and are none: a typing error would otherwise leave a default in force
/// without a word.
package enum UnknownVariables {
    /// A sentence each, in the order of their names.
    package static func warnings(in environment: [String: String]) -> [String] {
        let prefix = "LONGPRESS_"
        // Compared without what they have in common: a third of it would be a typing error.
        let known = (Setting.allCases.map(\.environmentName) + [ConfigurationFile.environmentName]).map {
            String($0.dropFirst(prefix.count))
        }
        return environment.sorted { $0.key < $1.key }.compactMap { name, value in
            let end = String(name.dropFirst(prefix.count))
            guard name.hasPrefix(prefix), !known.contains(end), !isOfKubernetes(name, value) else { return nil }
            let nearest = nearestName(to: end, among: known).map { " Did you mean \(prefix)\($0)?" } ?? ""
            return "\(name) is not a setting and was ignored.\(nearest)"
        }
    }

    /// A Service of Kubernetes that is called longpress, or longpress-admin, leaves variables of this form in each container.
    private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
        if name.hasSuffix("_SERVICE_HOST") || name.contains("_SERVICE_PORT") { return true }
        if name.hasSuffix("_PORT") { return ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) } }
        return name.contains("_PORT_") && ["_TCP", "_UDP", "_SCTP"].contains { name.contains($0) }
    }
}
