import Foundation
import QuickActions

/// Readers of property lists. `userInfo` must be one, because iOS raises an exception in the app for an item with any other value.
extension DocumentChecker {
    static let userInfoDepth = 8
    static let userInfoBytes = 4096

    /// An item's `userInfo`: keys of the version tag are reserved, and the depth is limited.
    package func userInfo(_ json: JSON, at path: DocumentPath) -> PropertyList.Dictionary? {
        if case .object(let members) = json { noteReservedKeys(members, at: path) }
        return propertyListDictionary(json, at: path, maxDepth: Self.userInfoDepth)
    }

    /// A dictionary of property-list values. Its own depth is 1.
    func propertyListDictionary(_ json: JSON, at path: DocumentPath, maxDepth: Int) -> PropertyList.Dictionary? {
        guard case .object = json else {
            mismatch(json, at: path, wanted: "an object")
            return nil
        }
        guard let value = propertyList(json, at: path, depth: 1, maxDepth: maxDepth) else { return nil }
        guard case .dictionary(let dictionary) = value else {
            note("marker-invalid", at: path, "\(path) is a single date or data value, but must be a dictionary.")
            return nil
        }
        return dictionary
    }

    private func noteReservedKeys(_ members: [JSON.Member], at path: DocumentPath) {
        for member in members where member.name.string.utf8.starts(with: VersionTag.prefix.utf8) {
            note(
                "userinfo-key-reserved", at: path[member.name],
                "\(quoted(member.name.string)) begins with \(VersionTag.prefix), which is reserved for Longpress. Rename the key.")
        }
    }

    /// Notes a violation if the size as Foundation's binary property list is above `userInfoBytes`.
    package func checkSize(of dictionary: PropertyList.Dictionary, at path: DocumentPath) {
        guard !dictionary.isEmpty else { return }
        let size = PropertyList.dictionary(dictionary).binarySize
        guard size > Self.userInfoBytes else { return }
        note(
            "userinfo-too-large", at: path,
            "\(path) takes \(size) bytes as a binary property list, but may take at most \(Self.userInfoBytes). Send an id and let the app "
                + "look up the rest.")
    }

    /// - Parameter depth: the depth of `json` if it is a container; that of `userInfo` is 1.
    private func propertyList(_ json: JSON, at path: DocumentPath, depth: Int, maxDepth: Int) -> PropertyList? {
        switch json {
        case .null:
            note(
                "userinfo-null", at: path,
                "\(path) is null. Property lists have no null, and the app would crash. Remove the key.")
            return nil
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .real(let value): return .real(value)
        case .outOfRange(let text, let isInteger):
            note(
                isInteger ? "integer-out-of-range" : "real-out-of-range", at: path,
                "\(quoted(text)) does not fit a 64-bit \(isInteger ? "integer" : "real number"). Write it as a string.")
            return nil
        case .string(let text): return isAllowedInXML(text, at: path) ? .string(text) : nil
        case .array(let elements):
            guard isShallow(depth, maxDepth, at: path) else { return nil }
            let values = elements.enumerated().map { propertyList($1, at: path[$0], depth: depth + 1, maxDepth: maxDepth) }
            let known = values.compactMap { $0 }
            return known.count == values.count ? .array(known) : nil
        case .object(let members):
            if PropertyList.Marker.isMeant(by: members) { return marker(members, at: path) }
            guard isShallow(depth, maxDepth, at: path) else { return nil }
            var known: [(key: Text, value: PropertyList)] = []
            for member in members where isAllowedInXML(member.name, at: path[member.name]) {
                guard let value = propertyList(member.value, at: path[member.name], depth: depth + 1, maxDepth: maxDepth) else { continue }
                known.append((member.name, value))
            }
            return known.count == members.count ? .dictionary(.init(known)) : nil
        }
    }

    private func isShallow(_ depth: Int, _ maxDepth: Int, at path: DocumentPath) -> Bool {
        guard depth > maxDepth else { return true }
        note(
            "userinfo-too-deep", at: path,
            "\(path) is nested \(depth) levels deep, but the limit is \(maxDepth). Flatten it.")
        return false
    }

    /// `{"$date": "2026-01-31T09:00:00Z"}` or `{"$data": "base64"}`. The key must be the only one.
    private func marker(_ members: [JSON.Member], at path: DocumentPath) -> PropertyList? {
        guard let member = members.first, members.count == 1 else {
            note("marker-invalid", at: path, "$date and $data must be the only key of their object. Move the other keys out.")
            return nil
        }
        if let value = PropertyList.Marker.value(of: member) { return value }
        let value = String(decoding: member.value.encoded, as: UTF8.self)
        if member.name == PropertyList.Marker.date {
            note(
                "date-invalid", at: path[member.name],
                "\(quoted(value)) is not a date. Write whole seconds in UTC, for example 2026-01-31T09:00:00Z.")
        } else {
            note("data-invalid", at: path[member.name], "\(quoted(value)) is not padded standard base64.")
        }
        return nil
    }
}

extension PropertyList {
    /// The size in bytes as a binary property list written by Foundation; `Int.max` if it cannot write one.
    ///
    /// Dictionaries of Foundation may merge keys that are canonically equivalent. So each is measured as an array of its keys and values,
    /// which has the same size except for the marker with the count; `dictionaryCounts` corrects that.
    var binarySize: Int {
        let data = try? PropertyListSerialization.data(fromPropertyList: foundationValue, format: .binary, options: 0)
        return data.map { $0.count + dictionaryCounts.reduce(0) { $0 + Self.markerSize($1) - Self.markerSize(2 * $1) } } ?? .max
    }

    private var foundationValue: NSObject {
        switch self {
        case .string(let text): NSString(string: text.string)
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .date(let seconds): NSDate(timeIntervalSince1970: TimeInterval(seconds))
        case .data(let bytes): NSData(data: Data(bytes))
        case .array(let elements): NSArray(array: elements.map(\.foundationValue))
        case .dictionary(let dictionary):
            NSArray(
                array: dictionary.members.map { NSString(string: $0.key.string) }
                    + dictionary.members.map(\.value.foundationValue))
        }
    }

    /// The number of members of each dictionary in the value.
    private var dictionaryCounts: [Int] {
        switch self {
        case .array(let elements): elements.flatMap(\.dictionaryCounts)
        case .dictionary(let dictionary): [dictionary.members.count] + dictionary.members.flatMap(\.value.dictionaryCounts)
        case .string, .integer, .real, .boolean, .date, .data: []
        }
    }

    /// The size of the marker of a collection: counts from 15 on are an integer object after the marker byte (CFBinaryPList.c).
    private static func markerSize(_ count: Int) -> Int {
        count < 15 ? 1 : count < 256 ? 3 : 4
    }
}
