import HTTP
import QuickActions
import Testing

@testable import API

@Suite struct AboutRouteTests {
    @Test func `says what runs, and what made the tables`() throws {
        let bench = try AdminBench()
        let about = try JSON(document: try bench.ask(.get, "/about", by: bench.tokens[.reader]).body)
        guard case .object(let members) = about, case .array(let migrations)? = about["database"]?["migrations"] else {
            Issue.record("nothing is said: \(about)")
            return
        }
        #expect(members.map(\.name.string) == ["version", "engine", "engineVersion", "database", "libraries"])
        #expect((about["version"]?.text, about["engine"]?.text) == ("1.2.3", "sqlite"))
        #expect(about["engineVersion"]?.text?.hasPrefix("3.") == true)
        #expect(about["libraries"]?.encoded == Array(#"{"sqlite":"3.1.4","libcurl":"7.8.9"}"#.utf8))
        #expect((migrations.first?["number"]?.encoded, migrations.first?["name"]?.text) == (Array("1".utf8), "init"))
        #expect(migrations.allSatisfy { Timestamp($0["appliedAt"]?.text ?? "") != nil } && migrations.count >= 9)
        #expect(about["database"]?["migration"]?.encoded == migrations.last?["number"]?.encoded)
    }

    @Test func `a token for some apps may know it, too`() throws {
        let bench = try AdminBench()
        #expect(try bench.ask(.get, "/about", by: bench.foreignToken).status == .ok)
    }
}
