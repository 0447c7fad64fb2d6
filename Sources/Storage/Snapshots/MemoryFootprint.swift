import QuickActions
import Shortcuts

// Estimates the heap size of parsed documents in bytes: array elements in place, plus 32 bytes for each array and for each text of more
// than 15 bytes. `SnapshotSizeTests` compares the estimate with the allocator's numbers.

extension ShortcutSet {
    var footprint: Int {
        retired.reduce(items.reduce(64) { $0 + $1.footprint }) { $0 + 96 + $1.id.description.heap + ($1.url?.description.heap ?? 0) }
    }
}

extension Release {
    var footprint: Int {
        let names = urlSchemes + (assets?.images ?? []) + (assets?.symbols ?? [])
        let texts = [minimumOSVersion, displayName].reduce(0) { $0 + ($1?.string.heap ?? 0) }
        return names.reduce(staticItems.reduce(320 + texts) { $0 + $1.footprint }) { $0 + 16 + $1.string.heap }
    }
}

extension ShortcutItem {
    fileprivate var footprint: Int {
        let rows = (titles.rows + subtitles.rows).reduce(0) { $0 + 48 + $1.text.string.heap }
        let texts = [type.string, icon?.symbol?.string, icon?.file?.string, targetContentIdentifier?.string, url?.description]
        let ids = replaces.reduce(id.description.heap) { $0 + 16 + $1.description.heap }
        return texts.reduce(384 + rows + ids + PropertyList.dictionary(userInfo).footprint) { $0 + ($1?.heap ?? 0) }
    }
}

extension StaticItem {
    fileprivate var footprint: Int {
        let texts = [type.string, title.string, subtitle?.string, icon?.symbol?.string, icon?.file?.string]
        return texts.reduce(192 + PropertyList.dictionary(userInfo).footprint) { $0 + ($1?.heap ?? 0) }
    }
}

extension PropertyList {
    /// The size outside of the value's own storage.
    fileprivate var footprint: Int {
        switch self {
        case .string(let text): text.string.heap
        case .data(let bytes): 32 + bytes.count
        case .integer, .real, .boolean, .date: 0
        case .array(let elements): elements.isEmpty ? 0 : elements.reduce(32) { $0 + 24 + $1.footprint }
        case .dictionary(let dictionary):
            dictionary.isEmpty ? 0 : dictionary.members.reduce(32) { $0 + 40 + $1.key.string.heap + $1.value.footprint }
        }
    }
}

extension String {
    fileprivate var heap: Int { utf8.count > 15 ? 40 + utf8.count : 0 }
}
