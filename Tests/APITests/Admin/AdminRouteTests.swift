import HTTP
import Shortcuts
import Testing

@testable import API

/// Every route of the admin plane, requested with sufficient and with insufficient tokens.
@Suite struct AdminRouteTests {
    @Test func `every route has an operation in this suite`() throws {
        let tried = AdminOperation.all.map(\.name) + SessionRouteTests.operations
        #expect(try AdminBench().routes.map(\.name).sorted() == tried.sorted())
    }

    @Test(arguments: AdminOperation.all)
    func `succeeds with the least role, and is in the audit log`(_ operation: AdminOperation) throws {
        let bench = try AdminBench()
        let before = try bench.audit()
        let token = try #require(bench.tokens[operation.role])
        let response = try bench.ask(operation.method, operation.path, operation.body, operation, by: token)
        #expect(response.status.code == operation.status, "\(String(decoding: response.body, as: UTF8.self))")
        let told = operation.audit.map { ["\(operation.role) \($0.rawValue)"] } ?? []
        #expect(try bench.audit().dropLast(before.count) == told[...])
    }

    @Test func `a smaller role is refused, and changes nothing`() throws {
        try expectRefusals { bench, operation in
            for role in Role.allCases where role < operation.role {
                let response = try bench.ask(operation.method, operation.path, operation.body, operation, by: bench.tokens[role])
                #expect((response.status.code, response.problem) == (403, "forbidden"), "\(operation.name) by \(role)")
            }
        }
    }

    @Test(arguments: [nil, "lp_unknown"])
    func `a request without a known token is refused, and changes nothing`(_ token: String?) throws {
        try expectRefusals { bench, operation in
            let response = try bench.ask(operation.method, operation.path, operation.body, operation, by: token)
            #expect((response.status.code, response.problem) == (401, "unauthenticated"), "\(operation.name)")
            #expect(response.fields.first("WWW-Authenticate") == "Bearer")
        }
    }

    @Test func `a token for other apps learns nothing of an app, and changes nothing of it`() throws {
        try expectRefusals { bench, operation in
            guard operation.path.contains("{app}") else { return }
            for path in [operation.path, operation.path.replacing("{app}", with: "com.example.none")] {
                let response = try bench.ask(operation.method, path, operation.body, operation, by: bench.foreignToken)
                #expect((response.status.code, response.problem) == (403, "forbidden"), "\(operation.name) of \(path)")
            }
        }
    }

    @Test func `a sender is checked once, before the body`() throws {
        let bench = try AdminBench()
        guard case .admitted(let respond) = try bench.admit(.put, "/apps/com.example.other", by: bench.foreignToken) else {
            Issue.record("The head was refused.")
            return
        }
        #expect(try bench.ask(.delete, "/tokens/{token}", by: "lp_first").status == .noContent)
        let request = try Request(.put, "/admin/v1/apps/com.example.other", body: Array(#"{"defaultLanguage": "en"}"#.utf8))
        #expect(respond(request).status == .created)
        guard case .refused(let refusal) = try bench.admit(.put, "/apps/com.example.other", by: bench.foreignToken) else {
            Issue.record("A revoked token was admitted.")
            return
        }
        #expect(refusal.problem == "unauthenticated")
    }

    @Test func `a token for some apps does not see what is for all`() throws {
        try expectRefusals { bench, operation in
            guard operation.path.contains("{webhook}") || operation.path.contains("{delivery}") else { return }
            let response = try bench.ask(operation.method, operation.path, operation.body, operation, by: bench.foreignToken)
            #expect((response.status.code, response.problem) == (404, "unknown-resource"), "\(operation.name)")
        }
    }

    @Test func `answers 404 for an unknown app`() throws {
        try expectRefusals { bench, operation in
            guard operation.path.contains("{app}"), operation.name != "putApp" else { return }
            let path = operation.path.replacing("{app}", with: "com.example.none")
            let response = try bench.ask(operation.method, path, operation.body, operation, by: bench.tokens[.owner])
            #expect((response.status.code, response.problem) == (404, "unknown-app"), "\(operation.name)")
        }
    }

    @Test func `answers 404 for an unknown resource`() throws {
        try expectRefusals { bench, operation in
            let path = ["webhook", "delivery", "token", "entry"].reduce(operation.path) { $0.replacing("{\($1)}", with: "none") }
            guard path != operation.path else { return }
            let response = try bench.ask(operation.method, path, operation.body, operation, by: bench.tokens[.owner])
            #expect((response.status.code, response.problem) == (404, "unknown-resource"), "\(operation.name)")
        }
    }

    @Test func `an invalid document is refused, and changes nothing`() throws {
        try expectRefusals { bench, operation in
            guard let refused = operation.refused else { return }
            let response = try bench.ask(operation.method, operation.path, refused.body, operation, by: bench.tokens[.owner])
            #expect(response.problem == refused.code.rawValue, "\(operation.name): \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    @Test func `a stored token writes so often a second; it reads on, and others and the configured one write on`() throws {
        let bench = try AdminBench(tokenWrites: 3)
        func save(_ token: String?) throws -> Response {
            try bench.ask(.put, "/apps/{app}/sets/3.0/draft", #"{"items": []}"#, by: token)
        }
        for _ in 0..<3 { #expect(try save(bench.tokens[.owner]).status.code < 300) }
        let answer = try save(bench.tokens[.owner])
        #expect(answer.problem == "too-many-requests")
        #expect(answer.fields.first("Retry-After") == "1")
        #expect(try bench.ask(.get, "/apps/{app}", by: bench.tokens[.owner]).status == .ok)
        #expect(try save(bench.tokens[.publisher]).status.code < 300)
        for _ in 0..<10 { #expect(try save("lp_first").status.code < 300) }
    }

    @Test func `an unknown parameter is refused, and changes nothing`() throws {
        try expectRefusals { bench, operation in
            let response = try bench.ask(
                operation.method, operation.path(adding: "colour=red"), operation.body, operation, by: bench.tokens[.owner])
            #expect((response.status.code, response.problem) == (400, "invalid-parameter"), "\(operation.name)")
        }
    }

    /// Executes every operation on one bench, whose audit log must not change.
    private func expectRefusals(_ ask: (AdminBench, AdminOperation) throws -> Void) throws {
        let bench = try AdminBench()
        let before = try bench.audit()
        for operation in AdminOperation.all { try ask(bench, operation) }
        #expect(try bench.audit() == before)
    }
}
