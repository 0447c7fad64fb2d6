import ArgumentParser
import Service

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service with a sample app in a throw-away store, and print what to try with curl.")

    @OptionGroup var options: ServiceOptions

    func run() throws {
        try reporting { try Demonstration(try options.values()).run() }
    }
}
