import ArgumentParser
import Files
import Foundation
import QuickActions
import Service

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what is wrong with a setup and what to do.",
        discussion: """
            Takes the settings of serve and looks at them, the database, the clocks, the machine and the proxies, also while the service \
            runs. Nothing is changed. The exit status is 1 where there is an error.
            """)

    @Flag(help: "One JSON object, with the versions and settings that support asks for, without secrets.")
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
