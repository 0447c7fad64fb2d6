import ArgumentParser
import Foundation
import QuickActions
import Remote

/// Parses the arguments of a command and collects the errors of all of them, so that they are reported together.
struct ArgumentReader {
    private var problems: [String] = []

    /// - Parameter name: of the option, for the message; empty for an argument without a name.
    mutating func value<Value: TextParsable>(_ name: String, _ text: String) -> Value? {
        if let value = Value(text) { return value }
        note(name, Value.rule(for: text))
        return nil
    }

    mutating func value<Value: TextParsable>(_ name: String, _ text: String?) -> Value? {
        text.flatMap { value(name, $0) }
    }

    mutating func values<Value: TextParsable>(_ name: String, _ texts: [String]) -> [Value] {
        texts.compactMap { value(name, $0) }
    }

    /// A time, or a duration such as `90m`, `12h` or `3d`.
    /// - Parameter start: when the duration begins; nil for now.
    mutating func time(_ name: String, _ text: String?, after start: Timestamp? = nil) -> Timestamp? {
        guard let text else { return nil }
        if let time = Timestamp(text) { return time }
        if let duration = Duration(daysOrText: text) { return (start ?? .now) + duration }
        note(
            name,
            "\(quoted(text)) is not a time. Use RFC 3339, for example 2027-01-31T09:00:00+01:00, or a duration such as 90d or 12h.")
        return nil
    }

    /// A duration such as `90m`, `12h` or `3d`.
    mutating func duration(_ name: String, _ text: String?) -> Duration? {
        guard let text else { return nil }
        if let duration = Duration(daysOrText: text) { return duration }
        note(name, "\(quoted(text)) is not a duration. Use a whole number with m, h or d, for example 90m, 12h or 3d.")
        return nil
    }

    /// The message of a publish, or nil.
    mutating func message(_ text: String?) -> String? {
        if let text, text.count > 200 { note("--message", "The message has \(text.count) characters. The limit is 200.") }
        return text
    }

    mutating func note(_ name: String, _ problem: String) {
        problems.append(name.isEmpty ? problem : "\(name): \(problem)")
    }

    /// - Parameter result: nil if an argument is invalid.
    /// - Throws: all errors together.
    func finish<Result>(_ result: Result?) throws -> Result {
        guard problems.isEmpty, let result else { throw ValidationError(problems.joined(separator: "\n")) }
        return result
    }
}

extension Timestamp {
    static var now: Timestamp { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }
}

extension Duration {
    /// As `init(text:)`, and whole days such as `90d`, at most 100 years.
    fileprivate init?(daysOrText text: String) {
        guard text.last == "d" else {
            self.init(text: text)
            return
        }
        let digits = text.dropLast()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let days = Int64(digits), days <= 36_500 else { return nil }
        self = .seconds(days * 86_400)
    }
}
