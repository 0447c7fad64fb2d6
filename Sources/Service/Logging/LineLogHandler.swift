import Foundation
import Logging
import QuickActions
import Shortcuts
import Synchronization

/// Formats log events as lines of text or JSON.
package struct LineLogHandler: LogHandler {
    package enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    package var metadata: Logger.Metadata = [:]
    private var level: LogLevel
    private let format: Format
    private let write: @Sendable (String) -> Void

    /// - Parameter write: receives a line with its line feed.
    package init(format: Format, level: LogLevel, write: @escaping @Sendable (String) -> Void) {
        self.format = format
        self.level = level
        self.write = write
    }

    /// Setting it changes only this handler, as swift-log requires.
    package var logLevel: Logger.Level {
        get { level.value }
        set { level = LogLevel(newValue) }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        write(format.line("\(event.message)", event.level, all))
    }
}

extension LineLogHandler.Format {
    /// One line with its line feed.
    func line(_ message: String, _ level: Logger.Level, _ metadata: Logger.Metadata) -> String {
        let time = Timestamp(Date()).description
        let pairs = metadata.sorted { $0.key < $1.key }
        switch self {
        case .text:
            return "\(time) \(level) \(message)" + pairs.map { " \($0)=\(logText($1.text))" }.joined() + "\n"
        case .json:
            let line: JSON = ["time": .string(time), "level": .string("\(level)"), "message": .string(message)]
            let details = pairs.map { JSON.Member(Text($0), $1.json) }
            return String(decoding: line.adding(membersOf: .object(details)).encoded, as: UTF8.self) + "\n"
        }
    }
}

extension Logger.MetadataValue {
    fileprivate var text: String {
        switch self {
        case .string, .stringConvertible: "\(self)"
        case .array, .dictionary: String(decoding: json.encoded, as: UTF8.self)
        }
    }

    /// Numbers and booleans keep their type, so that log queries such as `status >= 500` work.
    fileprivate var json: JSON {
        switch self {
        case .string(let text): .string(text)
        case .stringConvertible(let value as Bool): .boolean(value)
        case .stringConvertible(let value as Int): .integer(Int64(value))
        case .stringConvertible(let value as Int64): .integer(value)
        case .stringConvertible(let value as Double) where value.isFinite: .real(value)
        case .stringConvertible(let value): .string("\(value)")
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let values): .object(values.sorted { $0.key < $1.key }.map { JSON.Member(Text($0), $1.json) })
        }
    }
}

/// A value in a line of text, quoted unless it is plain ASCII. Control characters (C0, C1), format characters (bidirectional ones) and line
/// separators are escaped, so that no value can inject a line or control a terminal.
private func logText(_ value: String) -> String {
    let isPlain = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    guard !isPlain || value.isEmpty else { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case _ where [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory):
            text += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: text.unicodeScalars.append(scalar)
        }
    }
    return text + "\""
}

/// The level that all loggers of the service share. It may change at any time. Any thread may read and set it.
package final class LogLevel: Sendable {
    private static let all = Logger.Level.allCases
    private let index: Atomic<Int>

    package init(_ level: Logger.Level) {
        index = Atomic(Self.index(of: level))
    }

    var value: Logger.Level {
        get { Self.all[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    /// Whether the level is `debug` or `trace`.
    var isDebug: Bool { index.load(ordering: .relaxed) <= Self.debug }

    private static let debug = index(of: .debug)

    private static func index(of level: Logger.Level) -> Int { all.firstIndex(of: level) ?? 0 }
}
