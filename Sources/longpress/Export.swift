import ArgumentParser
import Service

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write everything but secrets as one JSON document that can be kept in git, also while the service runs.")

    @Option(help: "The file to write; standard output where none is named.")
    var output: String?
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let store = Maintenance(try options.path())
            guard let output else { return try Terminal.write(store.export()) }
            try store.export(to: output)
            say("The export is at \(output).")
        }
    }
}
