import QuickActions

/// Collects the violations of a JSON document with their paths, so that one answer lists all of them. At most `maxViolations` are stored: a
/// hostile document could have one per byte.
///
/// A reading function that finds a value invalid notes the violation and returns nil. A checker is for one document and one thread.
package final class DocumentChecker {
    package private(set) var violations: [Violation] = []
    /// The number of violations, including those that were not stored.
    package private(set) var violationCount = 0

    fileprivate static let maxViolations = 1000

    /// Whether the document was validated before it was stored. A newer node may have stored more: unknown members are preserved, and
    /// limits are not checked again.
    let isStored: Bool
    /// Whether languages that do not exist are valid: documents of earlier versions may have them.
    let acceptsAnyLanguage: Bool

    package init(isStored: Bool = false, acceptsAnyLanguage: Bool = false) {
        self.isStored = isStored
        self.acceptsAnyLanguage = isStored || acceptsAnyLanguage
    }

    package func note(_ code: String, at path: @autoclosure () -> DocumentPath, _ message: @autoclosure () -> String) {
        note(Violation(path: path().description, code: code, message: message()))
    }

    package func note(_ violation: @autoclosure () -> Violation) {
        violationCount += 1
        if violations.count < Self.maxViolations { violations.append(violation()) }
    }

    /// Adds the violations of another checker.
    func note(allOf other: DocumentChecker) {
        violations += other.violations.prefix(max(0, Self.maxViolations - violations.count))
        violationCount += other.violationCount
    }

    /// - Throws: `invalidDocument` if there are violations.
    package func finish() throws(Failure) {
        guard !violations.isEmpty else { return }
        throw .invalidDocument(violations.bounded(of: violationCount))
    }

    /// The members of an object. Each unknown member is a violation; a member that is null counts as absent.
    package func object(
        _ json: JSON, at path: DocumentPath, known: Set<String>
    ) -> CheckedObject? {
        guard case .object(let members) = json else {
            mismatch(json, at: path, wanted: "an object")
            return nil
        }
        var values: [String: JSON] = [:]
        var unknown: [JSON.Member] = []
        for member in members {
            guard known.contains(member.name.string) else {
                guard !isStored else {
                    unknown.append(member)
                    continue
                }
                let choices = known.isEmpty ? "" : ", or use one of: \(known.sorted().joined(separator: ", "))"
                note(
                    "unknown-member", at: path[member.name],
                    "\(quoted(member.name.string)) is not a known member. Remove it\(choices).")
                continue
            }
            if case .null = member.value { continue }
            values[member.name.string] = member.value
        }
        return CheckedObject(values: values, unknown: UnknownMembers(unknown), path: path, checker: self)
    }

    package func mismatch(_ json: JSON, at path: DocumentPath, wanted: String) {
        let name = path.description.isEmpty ? "The document" : path.description
        note("type-mismatch", at: path, "\(name) is \(json.kind), but must be \(wanted).")
    }

    package func string(_ json: JSON, at path: DocumentPath) -> Text? {
        guard case .string(let text) = json else {
            mismatch(json, at: path, wanted: "a string")
            return nil
        }
        guard isAllowedInXML(text, at: path) else { return nil }
        return text
    }

    /// Text of at most 255 characters in 2,048 bytes: a character may have any number of bytes.
    package func shortString(_ json: JSON, at path: DocumentPath) -> Text? {
        guard let text = string(json, at: path) else { return nil }
        let bytes = text.string.utf8.count
        guard !isStored, bytes > 255 else { return text }
        let characters = text.string.count
        guard characters > 255 || bytes > 2048 else { return text }
        note(
            "text-invalid", at: path, "\(path) has \(characters) characters (\(bytes) bytes). Use at most 255 (2048 bytes).")
        return nil
    }

    package func boolean(_ json: JSON, at path: DocumentPath) -> Bool? {
        guard case .boolean(let value) = json else {
            mismatch(json, at: path, wanted: "true or false")
            return nil
        }
        return value
    }

    package func integer(_ json: JSON, at path: DocumentPath, in range: ClosedRange<Int64>) -> Int64? {
        switch json {
        case .integer(let value) where range.contains(value): return value
        case .integer(let value):
            note("integer-out-of-range", at: path, "\(path) is \(value), but must be from \(range.lowerBound) to \(range.upperBound).")
        case .outOfRange(let text, isInteger: true):
            note("integer-out-of-range", at: path, "\(path) is \(text), which does not fit a 64-bit integer.")
        default: mismatch(json, at: path, wanted: "an integer")
        }
        return nil
    }

    package func array(_ json: JSON, at path: DocumentPath, atMost limit: Int? = nil) -> [JSON]? {
        guard case .array(let elements) = json else {
            mismatch(json, at: path, wanted: "an array")
            return nil
        }
        if let limit, !isStored, elements.count > limit {
            note(
                "too-many-items", at: path,
                "\(path) has \(elements.count) elements, but may have at most \(limit). Remove \(elements.count - limit).")
        }
        return elements
    }

    /// Checks that text can be written to an XML property list: XML 1.0 section 2.2 excludes some characters.
    package func isAllowedInXML(_ text: Text, at path: DocumentPath) -> Bool {
        guard let scalar = text.string.unicodeScalars.first(where: { !$0.isAllowedInXML }) else { return true }
        note(
            "text-invalid", at: path,
            "\(path) has the character U+\(scalar.hexText), which a property list cannot contain. Remove it.")
        return false
    }
}

extension [Violation] {
    /// The first `maxViolations`, the last of which says how many more there are.
    var bounded: [Violation] { Array(prefix(DocumentChecker.maxViolations)).bounded(of: count) }

    /// - Parameter count: the number of all violations, including those that were left out.
    fileprivate func bounded(of count: Int) -> [Violation] {
        let rest = count - self.count
        guard rest > 0 else { return self }
        return self + [Violation(path: "", code: "too-many-violations", message: "\(rest) more are not listed. Correct these first.")]
    }
}

/// An object whose member names were checked. Its members are read by name.
package struct CheckedObject {
    /// Reads a value at a path; returns nil after it noted a violation.
    package typealias Reader<Value> = (JSON, DocumentPath) -> Value?

    fileprivate let values: [String: JSON]
    /// The unknown members of a stored document.
    let unknown: UnknownMembers
    package let path: DocumentPath
    package let checker: DocumentChecker

    package func has(_ name: String) -> Bool { values[name] != nil }

    /// The unknown members, plus the member with this name.
    func unknown(with name: String) -> UnknownMembers {
        UnknownMembers(unknown.members.adding(Text(name), values[name]))
    }

    package func path(of name: String) -> DocumentPath { path[Text(name)] }

    /// Reads a member; nil if it is absent or invalid.
    package func optional<Value>(_ name: String, _ read: Reader<Value>) -> Value? {
        values[name].flatMap { read($0, path(of: name)) }
    }

    /// Reads a member; its absence is a violation.
    package func required<Value>(_ name: String, _ read: Reader<Value>) -> Value? {
        guard values[name] != nil else {
            checker.note("required", at: path(of: name), "\(path(of: name)) is missing. Add it.")
            return nil
        }
        return optional(name, read)
    }

    package func string(_ name: String) -> Text? { optional(name, checker.string) }

    package func boolean(_ name: String) -> Bool? { optional(name, checker.boolean) }

    /// Reads the elements of an array member. Invalid elements are left out. An absent member gives an empty array.
    package func list<Element>(_ name: String, atMost limit: Int? = nil, _ read: Reader<Element>) -> [Element] {
        let elements = optional(name) { json, path in checker.array(json, at: path, atMost: limit) } ?? []
        return elements.enumerated().compactMap { index, json in read(json, path(of: name)[index]) }
    }
}

extension Unicode.Scalar {
    var isAllowedInXML: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    var hexText: String {
        let hex = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }
}
