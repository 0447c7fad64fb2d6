import QuickActions

extension ShortcutSet {
    /// The document as `PUT` accepts it, in a canonical form: equal sets have equal bytes.
    package var canonicalJSON: [UInt8] { json.encoded }

    /// Whether both have the same canonical document. Unequal sets need no encoding. For equal sets the bytes are compared, because `0.0`
    /// and `-0.0` are equal numbers.
    package func hasSameDocument(as other: ShortcutSet) -> Bool { self == other && canonicalJSON == other.canonicalJSON }

    /// Reads a stored set. It was validated before it was stored, so limits are not checked again.
    package init(stored bytes: [UInt8]) throws(Failure) {
        self = try Failure.onStoredDocument { () throws(Failure) in
            try ShortcutSetDocument(stored: try JSON(document: bytes)).checked()
        }
    }

    package var json: JSON {
        let known: JSON = [
            "items": .array(items.map(\.json)), "retired": retired.isEmpty ? nil : .array(retired.map(\.json)),
            "fallbackURL": fallbackURL.map { .string($0) },
        ]
        return known.adding(unknown)
    }
}

extension ShortcutItem {
    /// Members with their default (an empty `userInfo`, `enabled: true`) are left out.
    var json: JSON {
        let known: JSON = [
            "id": .string(id), "type": .string(type), "title": titles.json, "subtitle": subtitles.rows.isEmpty ? nil : subtitles.json,
            "icon": icon?.json, "url": url.map { .string($0) }, "userInfo": userInfo.isEmpty ? nil : userInfo.json,
            "targetContentIdentifier": targetContentIdentifier.map { .string($0) }, "enabled": isEnabled ? nil : .boolean(false),
            "replaces": replaces.isEmpty ? nil : .strings(replaces),
        ]
        return known.adding(unknown)
    }
}

extension RetiredItem {
    var json: JSON {
        (["id": .string(id), "url": url.map { .string($0) }] as JSON).adding(unknown)
    }
}

extension LocalizedText {
    var json: JSON {
        .object(rows.map { JSON.Member(Text($0.language.description), .string($0.text)) })
    }
}

extension ShortcutIcon {
    /// With the member names of editors' documents, which differ from the names that clients are served.
    package var json: JSON {
        let known: JSON = [
            "symbol": symbol.map { .string($0) }, "file": file.map { .string($0) }, "type": type.map { .string($0.name) },
        ]
        return known.adding(unknown)
    }
}
