import Foundation

/// A line on a terminal that says what is being waited for; nothing where standard error is no terminal.
package struct ProgressLine: Sendable {
    private let isShown: Bool

    package init() {
        isShown = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// For tests.
    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Shows the text in the place of the one before, as long as the work takes.
    package func showing<Result>(_ text: String, _ work: () throws(RemoteFailure) -> Result) throws(RemoteFailure) -> Result {
        write("\r\u{1B}[K" + text)
        defer { write("\r\u{1B}[K") }
        return try work()
    }

    private func write(_ text: String) {
        guard isShown else { return }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
