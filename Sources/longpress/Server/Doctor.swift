import ArgumentParser
import Foundation
import Platform
import QuickActions
import Service

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find mistakes in the setup, and say how to correct them.",
        discussion: """
            Accepts the settings of serve. Checks the settings, the database, the clocks, the machine and the proxies. The service may be \
            running. Changes nothing. The exit status is 1 if there is an error.
            """)

    @Flag(help: "Print one JSON object, with versions and settings for support, without secrets.")
    var json = false
    @OptionGroup var options: ServiceOptions

    func run() throws {
        try reporting {
            let doctor = Doctor(
                try options.values(), environment: ProcessInfo.processInfo.environment, cores: ProcessInfo.processInfo.activeProcessorCount)
            if json {
                try Terminal.print(String(decoding: doctor.json.encoded, as: UTF8.self))
            } else {
                for diagnosis in doctor.diagnoses {
                    let remedy = diagnosis.remedy.map { " \($0)" } ?? ""
                    try Terminal.print("\(diagnosis.state.rawValue): \(diagnosis.check): \(diagnosis.found)\(remedy)")
                }
            }
            guard doctor.isHealthy else { throw ExitCode.failure }
        }
    }
}
