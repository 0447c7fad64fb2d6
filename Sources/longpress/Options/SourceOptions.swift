import ArgumentParser
import Remote

/// The options of the commands that read a running service, or a database where the command runs beside one.
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

    /// Nil where the database is meant: no service is named, or `--database` is and the service in the environment only.
    func service() throws(RemoteFailure) -> RemoteService? {
        #if SERVER
            return local.database == nil ? try remote.named() : nil
        #else
            return try remote.required()
        #endif
    }
}
