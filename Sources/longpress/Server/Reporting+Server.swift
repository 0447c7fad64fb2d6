import Service
import Shortcuts

func isOfConfiguration(_ error: any Error) -> Bool { error is ConfigurationError }

/// The sentences of a failure of the domain; nil for other errors.
func explanationOfServer(_ error: any Error) -> String? {
    guard let failure = error as? Failure else { return nil }
    // A command has no log: what the store said is printed.
    let detail = failure.cause.map { "\(failure.detail) (\($0))" } ?? failure.detail
    return failure.violations.isEmpty ? detail : failure.violations.map(\.message).joined(separator: "\n")
}
