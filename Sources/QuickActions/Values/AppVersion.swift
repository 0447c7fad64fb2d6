/// One to three period-separated non-negative integers, as Apple defines `CFBundleShortVersionString` and `CFBundleVersion`. Missing
/// parts are zero and leading zeros are ignored: `2.1` = `2.1.0` = `2.01`.
struct VersionNumbers: Hashable, Comparable, Sendable {
    let parts: (Int64, Int64, Int64)

    /// Nil if a part is empty, has characters other than ASCII digits, or has more than 18 digits, which might not fit an `Int64`.
    init?(_ text: String) {
        var parts: [Int64] = []
        for part in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard (1...18).contains(part.count), part.allSatisfy(\.isASCIIDigit), parts.count < 3 else { return nil }
            parts.append(part.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) })
        }
        while parts.count < 3 { parts.append(0) }
        self.parts = (parts[0], parts[1], parts[2])
    }

    static func == (left: VersionNumbers, right: VersionNumbers) -> Bool { left.parts == right.parts }
    static func < (left: VersionNumbers, right: VersionNumbers) -> Bool { left.parts < right.parts }

    func hash(into hasher: inout Hasher) {
        hasher.combine(parts.0)
        hasher.combine(parts.1)
        hasher.combine(parts.2)
    }
}

/// An app version (`CFBundleShortVersionString`); its canonical text has three parts, `2.1.0`.
package struct AppVersion: Hashable, Comparable, Sendable, TextRepresentable {
    let numbers: VersionNumbers

    package init?(_ text: String) {
        guard let numbers = VersionNumbers(text) else { return nil }
        self.numbers = numbers
    }

    package var description: String { "\(numbers.parts.0).\(numbers.parts.1).\(numbers.parts.2)" }

    package static func < (left: AppVersion, right: AppVersion) -> Bool { left.numbers < right.numbers }
}

/// A build (`CFBundleVersion`); its canonical text has no leading zeros and no trailing `.0`: `512`, `1.2`.
package struct BuildNumber: Hashable, Comparable, Sendable, TextRepresentable {
    let numbers: VersionNumbers

    package init?(_ text: String) {
        guard let numbers = VersionNumbers(text) else { return nil }
        self.numbers = numbers
    }

    package var description: String {
        let (major, minor, patch) = numbers.parts
        if patch != 0 { return "\(major).\(minor).\(patch)" }
        return minor != 0 ? "\(major).\(minor)" : "\(major)"
    }

    package static func < (left: BuildNumber, right: BuildNumber) -> Bool { left.numbers < right.numbers }
}
