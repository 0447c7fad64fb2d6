import ArgumentParser
import QuickActions
import Remote

/// A command that makes requests to a running service and prints the answer.
protocol ServiceCommand: ParsableCommand {
    associatedtype Request

    var options: AnswerOptions { get }

    /// Parses the arguments; nil if one is invalid, which the reader has noted.
    func request(_ read: inout ArgumentReader) -> Request?

    func perform(_ request: Request, on service: RemoteService, _ output: Output) throws
}

extension ServiceCommand {
    func validate() throws { _ = try parsedRequest() }

    func run() throws { try runOnService() }

    func parsedRequest() throws -> Request {
        var read = ArgumentReader()
        let request = request(&read)
        return try read.finish(request)
    }

    func runOnService() throws {
        let request = try parsedRequest()
        try reporting { try perform(request, on: try options.remote.required(), Output(asJSON: options.json)) }
    }
}

/// The options of each `ServiceCommand`.
struct AnswerOptions: ParsableArguments {
    @Flag(help: "Print the answer of the service as JSON: {} if it has no body, one document for all pages of a list.")
    var json = false
    @OptionGroup var remote: ServerOptions

    var areGiven: Bool { json || remote.server != nil || remote.tokenFile != nil || remote.ca != nil }
}
