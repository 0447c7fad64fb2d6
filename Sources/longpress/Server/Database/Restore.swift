import ArgumentParser
import Service
import Shortcuts
import Storage

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a backup in the database's place, while no service runs on it.",
        discussion: """
            The backup is checked first and stays as it is. Every app's revision numbers go on 1,000 higher, so that none that was \
            given after the backup comes again. What was there stays beside it.
            """)

    @Argument(help: "The backup.")
    var copy: String
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let database = try options.name()
            let former = try database.restore(from: copy, by: .commandLine())
            let kept = former.map { " What was there is at \($0)." } ?? ""
            printMessage("\(copy) is at \(database) now; revision numbers go on \(Store.revisionsSkipped) higher.\(kept)")
        }
    }
}
