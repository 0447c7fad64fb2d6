/// A version with or without its build, written `2.1.0` or `2.1.0+512`.
///
/// Builds may restart with each version, so the pair is compared, never the build alone.
package struct AppBuild: Hashable, Sendable, TextRepresentable {
    package let version: AppVersion
    package let build: BuildNumber?

    package init(_ version: AppVersion, build: BuildNumber? = nil) {
        self.version = version
        self.build = build
    }

    package init?(_ text: String) {
        let halves = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = halves.first, let version = AppVersion(String(first)) else { return nil }
        guard halves.count == 2 else {
            self.init(version)
            return
        }
        guard let build = BuildNumber(String(halves[1])) else { return nil }
        self.init(version, build: build)
    }

    package var description: String {
        guard let build else { return version.description }
        return "\(version)+\(build)"
    }

    /// Whether a release stands above a client. Where only one of the two names a build, builds are not compared.
    package func isAbove(_ other: AppBuild) -> Bool {
        guard version == other.version, let build, let otherBuild = other.build else { return version > other.version }
        return build > otherBuild
    }

    /// The order in which releases are listed: between releases a missing build sorts first.
    package static func releaseOrder(_ left: AppBuild, _ right: AppBuild) -> Bool {
        guard left.version == right.version else { return left.version < right.version }
        guard let build = right.build else { return false }
        return left.build.map { $0 < build } ?? true
    }
}
