import ArgumentParser
import Files
import Remote

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the apps of an export into a store: all of it, or nothing.",
        discussion: """
            Apps that the store has, or had, are in the way unless --replace is given. A database takes a file of any size and up to \
            1 GiB from a pipe, a service (--server) up to 64 MiB.
            """)

    @Argument(help: "The export; - reads standard input.")
    var file: String
    @Flag(help: "Have the apps that are there as the export says; their revision numbers go on above both.")
    var replace = false
    @Flag(help: "Say what it would bring, and write nothing.")
    var dryRun = false
    @Option(help: "Why apps that are there may require fewer approvals than they do; in the audit and in the webhook shortcuts.override.")
    var override: String?
    @OptionGroup var source: SourceOptions

    /// Of a pipe or a device, which may have no end. In bytes.
    private static let streamLimit = 1 << 30

    func run() throws {
        try reporting {
            let isStandardInput = file == "-"
            let name = isStandardInput ? "Standard input" : file
            let service = try source.service()
            let limit = service != nil ? RemoteService.limit : !isStandardInput && FileBytes.isRegular(file) ? .max : Self.streamLimit
            let document = try isStandardInput ? Terminal.input(atMost: limit) : FileBytes.read(file, atMost: limit)
            for line in try bring(document, named: name, to: service) { try Terminal.print(line) }
            printMessage(dryRun ? "Nothing was written." : "Imported.")
        }
    }

    /// A line for each app.
    private func bring(_ document: [UInt8], named name: String, to service: RemoteService?) throws -> [String] {
        if let service {
            // What is no JSON need not be sent.
            _ = try LocalFile.json(document, named: name)
            return try service.importArchive(document, replacing: replace, dryRun: dryRun, override: override)
        }
        #if SERVER
            return try bringToDatabase(document, named: name)
        #else
            throw ServerOptions.noneNamed
        #endif
    }
}
