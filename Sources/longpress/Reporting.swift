import ArgumentParser
import Foundation
import Service

/// Messages go to standard error, results to standard output.
func say(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
}

/// Turns what went wrong into a sentence and the exit status 1.
func reporting(_ work: () throws -> Void) throws {
    do {
        try work()
    } catch let error as ExitCode {
        throw error
    } catch {
        say("longpress: \(explanation(of: error))")
        throw ExitCode.failure
    }
}
