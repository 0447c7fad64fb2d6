import ArgumentParser
import Service

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Create the database, or migrate it to this version.")

    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let database = try options.name()
            _ = try database.openStore()
            printMessage("The database \(database) is up to date.")
        }
    }
}
