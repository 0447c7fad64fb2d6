import Foundation
import HTTP
import Testing
import Yams

@testable import Service

/// `openapi.yaml` and the router have the same operations.
@Suite struct OpenAPITests {
    private struct Operation: Hashable, Comparable, CustomStringConvertible {
        let method: String
        let path: String
        let name: String

        var description: String { "\(name): \(method) \(path)" }

        static func < (left: Operation, right: Operation) -> Bool { left.description < right.description }
    }

    @Test func `describes every route, and nothing else`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let flags: [Setting: String] = [.listen: "127.0.0.1:0", .database: folder.appendingPathComponent("a.sqlite").path]
        let service = try Service(try ServiceConfiguration(SettingValues(flags: flags, environment: [:]), cores: 1))
        let served = service.routes.map { Operation(method: $0.method.description, path: $0.path, name: $0.name) }
        #expect(served.sorted() == (try described()).sorted())
        #expect(Set(served.map(\.name)).count == served.count)
    }

    private func described() throws -> [Operation] {
        let text = String(decoding: RouteTable.openAPI, as: UTF8.self)
        let document = try #require(try Yams.load(yaml: text) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        return paths.flatMap { path, methods in
            methods.compactMap { method, operation in
                let name = (operation as? [String: Any])?["operationId"] as? String
                return name.map { Operation(method: method.uppercased(), path: path, name: $0) }
            }
        }
    }
}
