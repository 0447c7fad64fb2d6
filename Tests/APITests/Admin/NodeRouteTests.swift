import HTTP
import QuickActions
import Testing

@testable import API

@Suite struct NodeRouteTests {
    @Test func `a database of one process has one node`() throws {
        let bench = try AdminBench()
        let body = try bench.ask(.get, "/nodes", by: bench.tokens[.owner]).body
        guard case .array(let nodes)? = try JSON(document: body)["items"], case .object(let node)? = nodes.first else {
            Issue.record("no nodes")
            return
        }
        #expect(nodes.count == 1)
        #expect(node.map(\.name.string) == ["node", "version", "startedAt", "seenAt", "clockOffsetMs", "changesBehind"])
        #expect(String(decoding: body, as: UTF8.self).contains(#""clockOffsetMs":0,"changesBehind":0}],"next":null}"#))
    }

    @Test(arguments: ["limit=1", "cursor=x"]) func `is one page`(_ parameter: String) throws {
        let bench = try AdminBench()
        #expect(try bench.ask(.get, "/nodes?\(parameter)", by: bench.tokens[.owner]).problem == "invalid-parameter")
    }

    @Test func `a token for some apps does not see them`() throws {
        let bench = try AdminBench()
        #expect(try bench.ask(.get, "/nodes", by: bench.foreignToken).problem == "forbidden")
    }
}
