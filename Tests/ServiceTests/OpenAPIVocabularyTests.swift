import API
import HTTP
import QuickActions
import Shortcuts
import Testing
import Yams

@testable import Service

/// The enumerations in `openapi.yaml` list the cases of the program's enums.
@Suite struct OpenAPIVocabularyTests {
    @Test(arguments: [
        ("Role", Role.allCases.map(\.rawValue)),
        ("EventType", EventType.allCases.map(\.rawValue)),
        ("DeliveryState", Delivery.State.allCases.map(\.rawValue)),
        ("AuditAction", AuditEntry.Action.allCases.map(\.rawValue)),
        ("AuditTargetKind", AuditTarget.Kind.allCases.map(\.rawValue)),
        ("AppOrder", AppQuery.Order.allCases.map(\.rawValue)),
        ("Outcome", TapOutcome.allCases.map(\.rawValue)),
        ("DatabaseEngine", DatabaseDescription.Engine.allCases.map(\.rawValue)),
        ("StreamEndReason", AdminStreams.End.allCases.map(\.rawValue)),
        ("SystemIconType", SystemIconType.allCases.map(\.name)),
    ])
    func `lists every word of an enumeration, and no other`(_ schema: String, _ words: [String]) throws {
        #expect(try listed(schema).sorted() == words.sorted())
    }

    @Test func `lists every code of a problem, and no other`() throws {
        let beforeAnyHandler = [
            RequestFailure.badRequest(""), .notImplemented(""), .contentTooLarge(limit: 0), .targetTooLong(limit: 0),
            .fieldsTooLarge(RequestLimits()), .expectationFailed, .versionNotSupported, .timeout, .tooManyConnections, .overloaded,
            .misdirected(host: ""),
        ]
        let codes = Set(Failure.Code.allCases.map(\.rawValue) + beforeAnyHandler.map(\.code))
        #expect(Set(try listed("ProblemType")) == Set(codes.map { "/problems/\($0)" }))
    }

    /// The `enum` of a schema.
    private func listed(_ schema: String) throws -> [String] {
        let document = try #require(try Yams.load(yaml: String(decoding: RouteTable.openAPI, as: UTF8.self)) as? [String: Any])
        let components = try #require(document["components"] as? [String: Any])
        let schemas = try #require(components["schemas"] as? [String: [String: Any]])
        return try #require(schemas[schema]?["enum"] as? [String])
    }
}
