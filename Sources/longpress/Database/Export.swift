import ArgumentParser
import Files
import Service
import Shortcuts
import Storage

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write everything but secrets as one JSON document that can be kept in git, also while the service runs.")

    @Option(help: "The file to write; standard output where none is named.")
    var output: String?
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            // The same bytes as `GET /admin/v1/export`.
            let document = try options.name().openExistingStore().archive(within: .all).json.prettyPrinted
            guard let output else { return try Terminal.write(document) }
            // Synced with its folder, so that it survives a power cut.
            try FileBytes.write(document, to: output)
            printMessage("The export is at \(output).")
        }
    }
}
