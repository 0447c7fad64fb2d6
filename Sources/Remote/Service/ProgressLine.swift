import Foundation

/// A progress line on a terminal. Shows nothing if standard error is not a terminal.
package struct ProgressLine: Sendable {
    private let isShown: Bool

    package init() {
        isShown = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// For tests.
    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Shows the text in place of the previous one while the work runs.
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
