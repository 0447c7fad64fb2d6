import ArgumentParser
import Service

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Create the database or bring it to this version.")

    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let path = try options.path()
            _ = try path.openStore()
            printMessage("The database \(path) is up to date.")
        }
    }
}
