import Service
import Shortcuts

func isOfConfiguration(_ error: any Error) -> Bool { error is ConfigurationError }

/// The sentences of a domain failure; nil for other errors.
func explanationOfServer(_ error: any Error) -> String? {
    guard let failure = error as? Failure else { return nil }
    // A command has no log, so the store's cause is printed.
    let detail = failure.cause.map { "\(failure.detail) (\($0))" } ?? failure.detail
    return failure.violations.isEmpty ? detail : failure.violations.map(\.message).joined(separator: "\n")
}
