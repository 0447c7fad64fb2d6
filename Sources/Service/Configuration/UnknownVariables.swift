import QuickActions
import Shortcuts

/// Environment variables that begin with `LONGPRESS_` but are not settings. Without a warning, a misspelled variable would silently leave a
/// default in effect.
package enum UnknownVariables {
    /// The variables that the command reads to connect to a running service.
    private static let remote = ["LONGPRESS_SERVER", "LONGPRESS_TOKEN"]

    /// A warning for each variable, sorted by name.
    package static func warnings(in environment: [String: String]) -> [String] {
        let prefix = "LONGPRESS_"
        // Without the common prefix, which would make all names similar for `nearestName`.
        let known = (Setting.allCases.map(\.environmentName) + [ConfigurationFile.environmentName] + remote).map {
            String($0.dropFirst(prefix.count))
        }
        return environment.sorted { $0.key < $1.key }.compactMap { name, value in
            let end = String(name.dropFirst(prefix.count))
            guard name.hasPrefix(prefix), !known.contains(end), !isOfKubernetes(name, value) else { return nil }
            let nearest = nearestName(to: end, among: known).map { " Did you mean \(prefix)\($0)?" } ?? ""
            return "\(name) is not a setting and was ignored.\(nearest)"
        }
    }

    /// Whether Kubernetes sets the variable: a Service named longpress or longpress-admin adds such variables to each container.
    private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
        if name.hasSuffix("_SERVICE_HOST") || name.contains("_SERVICE_PORT") { return true }
        if name.hasSuffix("_PORT") { return ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) } }
        return name.contains("_PORT_") && ["_TCP", "_UDP", "_SCTP"].contains { name.contains($0) }
    }
}
