import ArgumentParser
import Remote

/// The options of commands that read from a running service, or from a database on the same machine.
struct SourceOptions: ParsableArguments {
    @OptionGroup var remote: ServerOptions
    #if SERVER
        @OptionGroup var local: DatabaseOption
    #endif

    func validate() throws {
        #if SERVER
            guard remote.server == nil || local.database == nil else {
                throw ValidationError("--server and --database exclude each other. Use only one.")
            }
        #endif
    }

    /// Nil if the command reads from the database: no server is given, or `--database` is given and the server only in the environment.
    func service() throws(RemoteFailure) -> RemoteService? {
        #if SERVER
            return local.database == nil ? try remote.named() : nil
        #else
            return try remote.required()
        #endif
    }
}
