import ArgumentParser
import Foundation
import Service
import Shortcuts

/// Prints a message to standard error; results go to standard output.
func printMessage(_ message: String) {
    Terminal.printMessage("\(message)\n")
}

/// Runs a command; prints the error that it throws and exits with 2 for an invalid configuration, 1 for other errors.
func reporting<Result>(_ work: () throws -> Result) throws -> Result {
    do {
        return try work()
    } catch let error as ExitCode {
        throw error
    } catch let error as ConfigurationError {
        printMessage("longpress: \(error)")
        throw ExitCode(2)
    } catch {
        printMessage("longpress: \(explanation(of: error))")
        throw ExitCode.failure
    }
}

/// The error in sentences for a terminal.
private func explanation(of error: any Error) -> String {
    guard let failure = error as? Failure else {
        // The descriptions of Foundation's errors are for programmers.
        return error is CocoaError || error is POSIXError ? error.localizedDescription : "\(error)"
    }
    // A command has no log: what the store said is printed.
    let detail = failure.cause.map { "\(failure.detail) (\($0))" } ?? failure.detail
    return failure.violations.isEmpty ? detail : failure.violations.map(\.message).joined(separator: "\n")
}
