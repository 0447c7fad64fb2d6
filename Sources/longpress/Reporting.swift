import ArgumentParser
import Foundation
import Service
import Shortcuts

/// Messages go to standard error, results to standard output.
func say(_ message: String) {
    Terminal.tell("\(message)\n")
}

/// Turns what went wrong into a sentence and an exit status: 2 for options that cannot be read, 1 for the rest.
func reporting<Result>(_ work: () throws -> Result) throws -> Result {
    do {
        return try work()
    } catch let error as ExitCode {
        throw error
    } catch let error as ConfigurationError {
        say("longpress: \(error)")
        throw ExitCode(2)
    } catch {
        say("longpress: \(explanation(of: error))")
        throw ExitCode.failure
    }
}

/// What went wrong, in sentences for a terminal.
private func explanation(of error: any Error) -> String {
    guard let failure = error as? Failure else {
        // Foundation's errors describe themselves for programmers.
        return error is CocoaError || error is POSIXError ? error.localizedDescription : "\(error)"
    }
    return failure.violations.isEmpty ? failure.detail : failure.violations.map(\.message).joined(separator: "\n")
}
