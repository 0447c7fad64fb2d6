import ArgumentParser
import Foundation
import Service

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write everything but secrets as one JSON document that can be kept in git, also while the service runs.")

    @Option(help: "The file to write; standard output where none is named.")
    var output: String?
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let document = Data(try Maintenance(DatabasePath(options.values())).export())
            guard let output else {
                FileHandle.standardOutput.write(document)
                return
            }
            do {
                try document.write(to: URL(fileURLWithPath: output), options: .atomic)
            } catch {
                throw ValidationError("\(output) cannot be written: check that its folder is there and that this user may write to it.")
            }
            say("The export is at \(output).")
        }
    }
}
