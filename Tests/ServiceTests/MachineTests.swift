import Foundation
import Testing

@testable import Service

@Suite struct MachineTests {
    @Test(
        arguments: [
            (["proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/memory.max": "1000\n", "sys/fs/cgroup/a/b/memory.max": "max\n"], 1000),
            (["proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/memory.max": "10\n", "sys/fs/cgroup/a/memory.max": "5"], 5),
            (["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"], nil),
            (["proc/self/cgroup": "5:cpu,memory:/x\n", "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "700\n"], 700),
            (["proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"], nil),
            (["proc/self/cgroup": "1:name=systemd:/\n"], nil), ([:], nil),
        ] as [([String: String], Int?)])
    func `the smallest limit of the control groups counts`(_ files: [String: String], _ limit: Int?) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        #expect(Machine.memoryLimit(root: root.path) == limit)
    }

    @Test func `the machine can be asked`() {
        #expect(Machine.residentBytes > 1 << 20 && Machine.openDescriptors > 2 && Machine.descriptorLimit >= Machine.openDescriptors)
        #expect(Machine.freeBytes(at: "/").map { $0 >= 0 } == true && Machine.freeBytes(at: "/nowhere/at/all") == nil)
        #expect(Machine.file(at: #filePath).map { $0.bytes > 100 } == true && Machine.file(at: "/nowhere") == nil)
    }

    @Test func `a machine that does not fit the configuration is warned of`() throws {
        let configuration = try ServiceConfiguration(SettingValues(flags: [:], environment: [:]), cores: 1)
        func messages(_ connections: Int, _ memory: Int?, _ free: Int?) -> [String] {
            StartWarnings(configuration, maxConnections: connections, memoryLimit: memory, freeBytes: free).all.map(\.message)
        }
        #expect(messages(20_000, nil, nil) == [] && messages(20_000, 1 << 30, 1 << 30) == [])
        #expect(
            messages(768, 256 << 20, 1 << 20) == [
                "the limit of open files is too low for --max-connections", "the memory limit is too low for the budgets",
                "the file system of the database is almost full",
            ])
    }
}
