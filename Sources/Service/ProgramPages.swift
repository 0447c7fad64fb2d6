import Foundation

/// The program's code in memory. A start runs through much of it once: arguments, migrations, conformances looked up.
enum ProgramPages {
    /// Lets go of all of it; what is needed comes back from the page cache, and the rest is not held while nobody asks for
    /// anything. Best effort: without it everything works the same.
    static func letGo() {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let maps = FileManager.default.contents(atPath: "/proc/self/maps")
        else { return }
        // proc(5): `55d0a0e00000-55d0a2a00000 r-xp 00000000 fe:00 42 /usr/local/bin/longpress`
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 5)
            guard parts.count == 6, parts[1] == "r-xp", parts[5].drop(while: { $0 == " " }) == program else { continue }
            let bounds = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1] else { continue }
            madvise(UnsafeMutableRawPointer(bitPattern: bounds[0]), Int(bounds[1] - bounds[0]), MADV_DONTNEED)
        }
    }
}
