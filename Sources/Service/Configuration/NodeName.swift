import Foundation
import QuickActions

/// The name of a process among the nodes that share a database: 1 to 64 letters, digits, `.`, `_` and `-`.
package struct NodeName: Sendable, Equatable, CustomStringConvertible {
    package let description: String

    static let rule = "a name of 1 to 64 letters, digits, dots, underscores and hyphens"
    private static let limit = 64

    init?(_ text: String) {
        guard (1...Self.limit).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        description = text
    }

    /// The default name: the host's name, and a suffix that distinguishes processes on one host.
    /// - Parameter suffix: letters and digits.
    init(host: String, suffix: String) {
        let plain = String(decoding: host.utf8.map { Self.isAllowed($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
        let shown = plain.prefix(Self.limit - 1 - suffix.utf8.count)
        description = "\(shown.isEmpty ? "node" : shown)-\(suffix)"
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte)
    }

    /// The host name from gethostname(2); empty if it is not available.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
