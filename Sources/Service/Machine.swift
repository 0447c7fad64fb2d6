import Foundation

/// Linux's data about this process and its machine.
enum Machine {
    /// proc(5): the second number of `statm` is the resident set in pages.
    static var residentBytes: Int {
        let numbers = text(at: "/proc/self/statm").split(separator: " ").compactMap { Int($0) }
        return numbers.count > 1 ? numbers[1] * sysconf(Int32(_SC_PAGESIZE)) : 0
    }

    static var openDescriptors: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0 }

    static var descriptorLimit: Int { Int(clamping: descriptorLimits.rlim_cur) }

    /// A service raises its soft limit to this value at its start.
    static var hardDescriptorLimit: Int { Int(clamping: descriptorLimits.rlim_max) }

    private static var descriptorLimits: rlimit {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : rlimit()
    }

    /// For example, Linux 6.1.0.
    static var kernel: String {
        text(at: "/proc/sys/kernel/ostype").split(separator: "\n").joined() + " "
            + text(at: "/proc/sys/kernel/osrelease").split(separator: "\n").joined()
    }

    /// The free bytes for a process without privileges in the file system of a file or folder; nil if they are unknown.
    static func freeBytes(at path: String) -> Int? {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return nil }
        return Int(clamping: system.f_bavail.multipliedReportingOverflow(by: UInt(system.f_frsize)).partialValue)
    }

    /// The size and the time of the last change of a file; nil if the file does not exist.
    static func file(at path: String) -> (bytes: Int, changedAt: Int)? {
        var status = stat()
        return stat(path, &status) == 0 ? (Int(status.st_size), Int(status.st_mtim.tv_sec)) : nil
    }

    /// The smallest memory limit of the process's control groups, in bytes; nil without a limit.
    /// - Parameter root: replaces the root of the file system in tests.
    static func memoryLimit(root: String = "") -> Int? {
        var limits: [Int] = []
        for line in text(at: "\(root)/proc/self/cgroup").split(separator: "\n") {
            // hierarchy-ID:controllers:path (cgroups(7)); version 2 has the hierarchy 0 and no controllers.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3 else { continue }
            let isSecond = parts[0] == "0" && parts[1].isEmpty
            guard isSecond || parts[1].split(separator: ",").contains("memory") else { continue }
            let (folder, file) = isSecond ? ("/sys/fs/cgroup", "memory.max") : ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            // A limit applies to all groups below it. In a container, the groups above are not visible.
            var path = parts[2] == "/" ? "" : parts[2]
            while true {
                if let limit = Int(text(at: "\(root)\(folder)\(path)/\(file)").prefix { $0 != "\n" }) { limits.append(limit) }
                guard let slash = path.lastIndex(of: "/") else { break }
                path = String(path[..<slash])
            }
        }
        // Version 1 uses a number near the largest one for no limit.
        return limits.min().flatMap { $0 < 1 << 60 ? $0 : nil }
    }

    private static func text(at path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
