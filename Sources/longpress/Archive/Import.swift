import ArgumentParser
import Platform
import Remote

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import the apps of an export into a database: all of them or none.",
        discussion: """
            The import fails if an app exists or existed, unless --replace is set. A database accepts a file of any size and up to \
            1 GiB from a pipe; a service (--server) accepts up to 64 MiB.
            """)

    @Argument(help: "The export; - reads standard input.")
    var file: String
    @Flag(help: "Replace apps that exist. New revision numbers are above those of the database and of the document.")
    var replace = false
    @Flag(help: "Print what the import would do, and write nothing.")
    var dryRun = false
    @Option(help: "Reason for lowering the approvals of existing apps; recorded in the audit and the webhook shortcuts.override.")
    var override: String?
    @OptionGroup var source: SourceOptions

    /// The limit, in bytes, for a pipe or a device, which may be endless.
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
            // Invalid JSON is found before it is sent.
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
