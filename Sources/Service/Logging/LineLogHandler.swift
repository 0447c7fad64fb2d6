import Foundation
import Logging
import Shortcuts

/// Writes log lines to standard error, as text for people or as JSON for machines.
package struct LineLogHandler: LogHandler {
    package enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let format: Format
    private let write: @Sendable (String) -> Void

    package init(
        format: Format, level: Logger.Level,
        write: @escaping @Sendable (String) -> Void = { line in FileHandle.standardError.write(Data(line.utf8)) }
    ) {
        self.format = format
        logLevel = level
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let pairs = all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        let time = Timestamp(Date()).description
        switch format {
        case .text:
            let details = pairs.map { " \($0)=\(Self.plain($1) ? $1 : quoted($1))" }.joined()
            write("\(time) \(event.level) \(event.message)\(details)\n")
        case .json:
            let members = [
                JSON.Member("time", .string(time)), JSON.Member("level", .string("\(event.level)")),
                JSON.Member("message", .string("\(event.message)")),
            ]
            let details = pairs.map { JSON.Member(Text($0), .string($1)) }
            write(String(decoding: JSON.object(members + details).encoded, as: UTF8.self) + "\n")
        }
    }

    /// Whether a value stands for itself in a line of text.
    private static func plain(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    }
}
