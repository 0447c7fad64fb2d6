import Testing

@testable import Shortcuts

@Suite struct ReleaseListTests {
    static let releases = ["2.0+5", "2.1", "2.1+3", "2.1+7", "2.3+1"]

    @Test(arguments: [
        ("1.9", nil), ("2.0+4", nil), ("2.0+5", "2.0.0+5"), ("2.0", "2.0.0+5"), ("2.1", "2.1.0+7"),
        ("2.1+1", "2.1.0"), ("2.1+3", "2.1.0+3"), ("2.1+6", "2.1.0+3"), ("2.1+8", "2.1.0+7"), ("2.2+1", "2.1.0+7"), ("9", "2.3.0+1"),
    ])
    func `a client shows the greatest release that is not above it`(client: String, expected: String?) throws {
        let app = try snapshot([], releases: try Self.releases.shuffled().map { try release($0) })
        #expect(app.release(for: try build(client))?.id.description == expected)
    }

    @Test(arguments: [(0, 4), (1, 3), (4, 0), (7, 0)])
    func `the visible budget is four less the static items`(count: Int, budget: Int) throws {
        let items = Array(repeating: #"{"type":"t","title":"T"}"#, count: count).joined(separator: ",")
        let app = try snapshot([], releases: [try release("2.0", #"{"staticItems":[\#(items)]}"#)])
        #expect(app.releases.visibleBudget(for: try build("2.5")) == budget)
        #expect(app.releases.visibleBudget(for: try build("1.9")) == 4)
    }
}
