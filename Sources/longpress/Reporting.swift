import ArgumentParser
import Service

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
