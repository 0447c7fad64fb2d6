import ArgumentParser
import Foundation
import Service

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the service.")

    @OptionGroup var options: ServiceOptions

    func run() throws {
        try reporting {
            let cores = ProcessInfo.processInfo.activeProcessorCount
            let values = try options.values()
            let configuration = try ServiceConfiguration(values, cores: cores)
            try DemoStore.requireOther(than: configuration.database, from: values.origin(of: .database))
            try Service(configuration).run(reread: { try ServiceConfiguration(options.values(), cores: cores) })
        }
    }
}
