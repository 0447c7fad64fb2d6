import Foundation

/// The process's memory as proc(5) has it: the second number of `statm` is the resident set in pages.
enum ProcessMemory {
    static var residentBytes: Int {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let numbers = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        return numbers.count > 1 ? numbers[1] * sysconf(Int32(_SC_PAGESIZE)) : 0
    }
}
