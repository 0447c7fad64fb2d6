import Foundation

/// The version and the build in an Info.plist, unchanged. The service validates them.
package struct InfoPlistVersion: Sendable {
    package let version: String?
    package let build: String?

    /// - Parameter bytes: XML or binary.
    /// - Returns: nil if they are not a property list.
    package init?(_ bytes: [UInt8]) {
        guard let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any] else { return nil }
        version = list["CFBundleShortVersionString"] as? String
        build = list["CFBundleVersion"] as? String
    }
}
