import StoragePostgres
import Testing

/// The engines that the store's tests run on.
enum Engine: String, CaseIterable {
    case sqlite, postgres

    /// The engine of the test that runs: `Workbench()` is on it.
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
    /// An issue says on which engine it was found.
    static var namingEngine: IssueHandlingTrait {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("on \(Engine.current.rawValue)")
            return issue
        }
    }
}
