import ArgumentParser
import Foundation
import Platform

/// Prints a message to standard error; results go to standard output.
func printMessage(_ message: String) {
    Terminal.printMessage("\(message)\n")
}

/// Runs a command. Prints an error, and exits with 2 for an invalid configuration or 1 for other errors.
func reporting<Result>(_ work: () throws -> Result) throws -> Result {
    do {
        return try work()
    } catch let error as ExitCode {
        throw error
    } catch {
        printMessage("longpress: \(explanation(of: error))")
        throw exitCode(of: error)
    }
}

/// The error in sentences for a terminal.
private func explanation(of error: any Error) -> String {
    #if SERVER
        if let explained = explanationOfServer(error) { return explained }
    #endif
    // Foundation's descriptions of its errors are meant for programmers.
    return error is CocoaError || error is POSIXError ? error.localizedDescription : "\(error)"
}

private func exitCode(of error: any Error) -> ExitCode {
    #if SERVER
        if isOfConfiguration(error) { return ExitCode(2) }
    #endif
    return .failure
}
