/// A version, optionally with a build: `2.1.0` or `2.1.0+512`. Build numbers may restart with each version, so a build is never compared
/// alone.
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

    /// Whether this is greater than `other`. Builds are compared only if the versions are equal and both have a build.
    package func isAbove(_ other: AppBuild) -> Bool {
        guard version == other.version, let build, let otherBuild = other.build else { return version > other.version }
        return build > otherBuild
    }

    /// The total order of releases: within a version, a release without a build is first.
    package static func releaseOrder(_ left: AppBuild, _ right: AppBuild) -> Bool {
        guard left.version == right.version else { return left.version < right.version }
        guard let build = right.build else { return false }
        return left.build.map { $0 < build } ?? true
    }
}
