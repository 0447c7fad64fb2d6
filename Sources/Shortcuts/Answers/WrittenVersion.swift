import QuickActions

/// How a client's version is written into an answer: itself, or placeholders, so that an answer made once serves every version
/// that has the same set.
///
/// The placeholders are noncharacters (Unicode 23.7). No text of a document can hold one (`text-invalid`, XML 1.0 section 2.2), so
/// they are found again in any format without a doubt.
package struct WrittenVersion: Sendable {
    /// Canonical, without the build.
    let version: Text
    /// As the version tag has it, with the build where there is one.
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

    /// Where the last placeholder ends; 0 where there is none.
    package static func endOfLastPlaceholder(in template: [UInt8]) -> Int {
        var index = template.count - 3
        while index >= 0 {
            if template[index] == 0xEF, template[index + 1] == 0xBF, template[index + 2] >= 0xBE { return index + 3 }
            index -= 1
        }
        return 0
    }

    /// Puts a client's version where its placeholders stand.
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
