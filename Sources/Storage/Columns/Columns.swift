import QuickActions
import Shortcuts

/// A value that a column stores as its text.
package protocol TextColumn: RowReadable {
    init?(_ text: String)
}

extension TextColumn {
    /// The text was validated when it was written.
    package init(row: inout SQLRow) throws(Failure) {
        let text = try row.text()
        guard let value = Self(text) else { throw .corrupt("\(quoted(text)) is not a \(Self.self).") }
        self = value
    }
}

extension TextColumn where Self: RawRepresentable, RawValue == String {
    package init?(_ text: String) {
        self.init(rawValue: text)
    }
}

extension AppID: TextColumn {}
extension AppVersion: TextColumn {}
extension AppBuild: TextColumn {}
extension Audience: TextColumn {}
extension ItemID: TextColumn {}
extension LanguageTag: TextColumn {}
extension Text: TextColumn {}
extension TapOutcome: TextColumn {}
extension TapCounting: TextColumn {}
extension ID: TextColumn {}
extension TokenOwner: TextColumn {}
extension ScheduleEntry.Kind: TextColumn {}
extension OverrideReason: TextColumn {}
extension RevisionMessage: TextColumn {}
extension Role: TextColumn {}
extension EventType: TextColumn {}
extension Delivery.State: TextColumn {}
extension Endpoint.DisabledReason: TextColumn {}
extension Revision.Kind: TextColumn {}
extension AuditEntry.Action: TextColumn {}

/// Stored URLs were validated when they were written and are not validated again.
extension ActionURL: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(stored: try row.text())
    }
}

extension EndpointURL: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(stored: try row.text())
    }
}

/// A set's canonical document.
extension ShortcutSet: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        try self.init(stored: Array(try row.text().utf8))
    }
}

/// Milliseconds since 1970.
extension Timestamp: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(milliseconds: try row.integer())
    }
}

extension Timestamp {
    func adding(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: self.milliseconds + milliseconds) }
}

/// A value whose first column is its key. The key is known even if the value cannot be read.
struct Keyed<Value: RowReadable>: RowReadable {
    let id: String
    let value: Result<Value, Failure>

    init(row: inout SQLRow) throws(Failure) {
        var key = row
        id = try key.text()
        do throws(Failure) {
            value = .success(try row.read())
        } catch {
            value = .failure(error)
        }
    }
}

/// A value, followed by a count.
struct Counted<Value: RowReadable>: RowReadable {
    let value: Value
    let count: Int64

    init(row: inout SQLRow) throws(Failure) {
        (value, count) = (try row.read(), try row.read())
    }
}

extension SQLRow {
    /// Words separated by spaces; nil for NULL.
    mutating func words<Value: TextColumn>() throws(Failure) -> [Value]? {
        guard let text = try read(String?.self) else { return nil }
        var values: [Value] = []
        for word in text.split(separator: " ") {
            guard let value = Value(String(word)) else { throw .corrupt("\(quoted(text)) is not a known \(Value.self).") }
            values.append(value)
        }
        return values
    }
}

extension SQLValue {
    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// The value's description: of an id, a version or a tag.
    init(_ value: (some CustomStringConvertible)?) {
        self.init(value?.description)
    }

    init(_ time: Timestamp?) {
        self = time.map { .integer($0.milliseconds) } ?? .null
    }

    init(_ flag: Bool) {
        self = .integer(flag ? 1 : 0)
    }

    init(_ number: Int) {
        self = .integer(Int64(number))
    }

    init(utf8 bytes: [UInt8]) {
        self = .text(String(decoding: bytes, as: UTF8.self))
    }

    init(words: [String]?) {
        self.init(words?.joined(separator: " "))
    }
}

/// `?, ?, ?`
func placeholders(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
}

/// The values of an `IN (…)`, the last one repeated up to a power of two. Lists of any length then need only a few different statements,
/// each of which an engine prepares once.
struct ValueList {
    /// The maximum number of values in one list. Longer lists are split.
    static let maxCount = 256

    let values: [SQLValue]

    init(_ values: [SQLValue]) {
        var size = 1
        while size < values.count { size *= 2 }
        let padding = values.last.map { Array(repeating: $0, count: size - values.count) } ?? []
        self.values = values + padding
    }

    /// `(?, ?, ?, ?)`
    var sql: String { "(\(placeholders(values.count)))" }

    /// Splits the values into lists of at most `maxCount`.
    static func lists(of values: [SQLValue]) -> [ValueList] {
        stride(from: 0, to: values.count, by: maxCount).map { ValueList(Array(values[$0..<min($0 + maxCount, values.count)])) }
    }
}

extension AppVersion {
    /// A sort key: its text order is version order.
    var position: String { sortable(description) }
}

extension AppBuild {
    /// A sort key: its text order is `releaseOrder`, in which a version without a build comes first.
    var position: String {
        build.map { "\(version.position)+\(sortable($0.description))" } ?? version.position
    }
}

/// Three parts, each padded to 18 digits, the maximum length of a valid part.
private func sortable(_ numbers: String) -> String {
    let parts = numbers.split(separator: ".").map { part in
        String(repeating: "0", count: 18 - min(18, part.utf8.count)) + part
    }
    let zero = String(repeating: "0", count: 18)
    return (parts + Array(repeating: zero, count: 3 - min(3, parts.count))).joined(separator: ".")
}
