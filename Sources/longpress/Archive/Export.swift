import ArgumentParser
import Files
import Remote

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write everything but secrets as one JSON document that can be kept in git, also while the service runs.")

    @Option(help: "The file to write; standard output where none is named.")
    var output: String?
    @OptionGroup var source: SourceOptions

    func run() throws {
        try reporting {
            let document = try document()
            guard let output else { return try Terminal.write(document) }
            // Synced with its folder, so that it survives a power cut.
            try FileBytes.write(document, to: output)
            printMessage("The export is at \(output).")
        }
    }

    private func document() throws -> [UInt8] {
        if let service = try source.service() { return try service.export() }
        #if SERVER
            return try exportOfDatabase()
        #else
            throw ServerOptions.noneNamed
        #endif
    }
}
