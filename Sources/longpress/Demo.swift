import ArgumentParser
import Service

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service with a sample app in a throw-away store, and print what to try with curl.")

    @Option(help: "A file to write for the shell that tries it: address, token, database; read it with `. FILE`.")
    var session: String?
    @OptionGroup var options: ServiceOptions

    func run() throws {
        try reporting { try Demonstration(try options.values(), session: session).run() }
    }
}
