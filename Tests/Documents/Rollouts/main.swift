// Compiled with sources of QuickActions as one module.
import Foundation

func lines(_ path: String) throws -> [Substring] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
}

let units = try lines(CommandLine.arguments[2])
for rollout in try lines(CommandLine.arguments[1]) {
    let parts = rollout.split(separator: " ")
    guard parts.count == 2, let threshold = Int(parts[1]), let share = RolloutShare(threshold: threshold) else {
        fatalError("expected an id and a threshold")
    }
    let arms = units.map { RolloutArm(of: String($0), in: String(parts[0]), share: share) == .candidate ? "1" : "0" }
    print(arms.joined())
}
