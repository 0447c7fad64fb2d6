import StoragePostgres
import Testing

/// The engines for the store's tests.
enum Engine: String, CaseIterable {
    case sqlite, postgres

    /// The engine of the running test, which `Workbench()` uses.
    @TaskLocal static var current = Engine.sqlite
}

/// Runs each test of a suite once on every engine.
struct EachEngine: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void) async throws {
        for engine in Engine.allCases {
            try await Engine.$current.withValue(engine) { try await body() }
        }
    }
}

extension Trait where Self == EachEngine {
    static var eachEngine: EachEngine { EachEngine() }
}

extension Trait where Self == IssueHandlingTrait {
    /// Adds the engine to each issue.
    static var namingEngine: IssueHandlingTrait {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("on \(Engine.current.rawValue)")
            return issue
        }
    }
}
