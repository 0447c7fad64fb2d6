import QuickActions

/// The text for the client's version in an answer: the version, or placeholders. One template with placeholders serves all versions that
/// have the same set.
///
/// The placeholders are noncharacters (Unicode section 23.7). No text of a document can contain them (`text-invalid`, XML 1.0 section 2.2),
/// so they are unambiguous in every format.
package struct WrittenVersion: Sendable {
    /// Canonical, without the build.
    let version: Text
    /// For the version tag: with the build if the client sent one.
    let tagged: Text

    init(_ client: AppBuild) {
        version = Text(client.version.description)
        tagged = Text(client.description)
    }

    private init(version: Text, tagged: Text) {
        self.version = version
        self.tagged = tagged
    }

    package static let placeholders = WrittenVersion(version: "\u{FFFF}", tagged: "\u{FFFE}")

    /// The offset after the last placeholder; 0 without any.
    package static func endOfLastPlaceholder(in template: [UInt8]) -> Int {
        var index = template.count - 3
        while index >= 0 {
            if template[index] == 0xEF, template[index + 1] == 0xBF, template[index + 2] >= 0xBE { return index + 3 }
            index -= 1
        }
        return 0
    }

    /// Replaces the placeholders by a client's version.
    package static func put(_ client: AppBuild, into template: [UInt8]) -> [UInt8] {
        let (version, tagged) = (Array(client.version.description.utf8), Array(client.description.utf8))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(template.count + 32 * tagged.count)
        var copied = 0
        template.withUnsafeBufferPointer { template in
            func copy(to end: Int) { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: template[copied..<end])) }
            var index = 0
            while index + 2 < template.count {
                // U+FFFF is EF BF BF and U+FFFE is EF BF BE.
                guard template[index] == 0xEF, template[index + 1] == 0xBF, template[index + 2] >= 0xBE else {
                    index += 1
                    continue
                }
                copy(to: index)
                bytes.append(contentsOf: template[index + 2] == 0xBF ? version : tagged)
                index += 3
                copied = index
            }
            copy(to: template.count)
        }
        return bytes
    }
}
