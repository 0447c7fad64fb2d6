import ArgumentParser
import Foundation
import Service

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the service.")

    @OptionGroup var options: ServiceOptions

    func run() throws {
        try reporting {
            let configuration = try ServiceConfiguration(
                try options.values(), cores: ProcessInfo.processInfo.activeProcessorCount)
            try Service(configuration).run()
        }
    }
}
