import QuickActions
import Testing

@testable import Shortcuts

func plan(
    _ words: String?, at from: String, in timelines: [Timeline], app: App? = nil, releases: [Release] = [], holds: Bool = true,
    known: [String]? = nil, audience: Audience = .default, consent: Consent = .none(override: nil)
) throws -> Publication.Plan {
    let action: SetChange.Action = if let words { .publish(try sketch(words)) } else { .delete }
    let change = SetChange(
        version: try version(from), audience: audience, action: action,
        writeCondition: WriteCondition(ifMatch: { _ in holds }, ifNoneMatch: { _ in true }), consent: consent)
    let known = try known.map { Set(try $0.map(id)) }
    return try Publication.plan(
        change, in: try snapshot(timelines, releases: releases, app: app), revision: 7, known: { known ?? $0 }, by: author)
}

func publication(_ plan: Publication.Plan) throws -> Publication {
    guard case .change(let publication) = plan else { throw Failure(.internalError, "unchanged") }
    return publication
}

private let guest = Audience("guest") ?? .default

@Suite struct PublicationTests {
    @Test func `a publish is a new revision`() throws {
        let result = try publication(try plan("a b", at: "2.0", in: [try timeline(["2.0": "a"])]))
        #expect(
            result.revision.number == 7 && result.revision.kind == .published && result.revision.by == "ci"
                && result.revision.publishedAt == author.at)
        #expect(result.previous?.revision == 1)
    }

    @Test(arguments: ["2.0", "2", "2.00.0"]) func `identical content changes nothing`(from: String) throws {
        guard case .unchanged(let revision, _) = try plan("a<x b", at: from, in: [try timeline(["1.0": "y", "2.0": "a<x b"])]) else {
            return #expect(Bool(false))
        }
        #expect(revision == 2)
    }

    @Test func `the same content elsewhere is a change`() throws {
        _ = try publication(try plan("a", at: "3.0", in: [try timeline(["2.0": "a"])]))
        _ = try publication(try plan("a", at: "2.0", in: [try timeline(["2.0": "a"])], audience: guest))
    }

    @Test(arguments: ["a", "b -a", "a<q"]) func `the precondition is checked before ids`(words: String) throws {
        let timelines = [try timeline(["1.0": "q", "2.0": "a", "3.0": "a"])]
        #expect(failure { try plan(words, at: "2.0", in: timelines, holds: false) }?.code == .preconditionFailed)
        let french = try app(language: "fr")
        #expect(
            failure { try plan(words, at: "2.0", in: timelines, app: french, holds: false) }?.found.first
                == "items[0].title.fr: title-missing")
    }

    @Test(arguments: [
        ("a", "2.0", true), ("a", "3.0", true), ("!a", "3.0", true), ("b", "2.0", true), ("c", "2.0", false), ("a", "1.0", false),
        ("b", "1.0", false), ("n<a", "0.5", true), ("-a", "0.5", true), ("n<b", "1.0", false), ("n<a", "1.0", false), ("n<c", "1.0", true),
        ("-c", "0.5", true),
    ])
    func `an ended id is no item of a later set`(words: String, from: String, isRefused: Bool) throws {
        let timelines = [try timeline(["1.0": "a b", "1.5": "x<a -b", "2.5": "c x"])]
        let failure = failure { try plan(words, at: from, in: timelines) }
        #expect((failure?.code == .idReused) == isRefused && (failure != nil) == isRefused)
    }

    @Test func `the refusal names the set`() throws {
        let failure = try #require(failure { try plan("b a", at: "3.0", in: [try timeline(["1.0": "a", "2.0": "-a"])]) })
        #expect(failure.found == ["items[1].id: id-reused"])
        #expect(failure.detail.contains("2.0.0") && failure.detail.contains("revision 2"))
    }

    @Test func `a mistaken retirement can be rolled back`() throws {
        _ = try publication(try plan("a", at: "2.0", in: [try timeline(["1.0": "a", "2.0": "-a"])]))
        _ = try publication(try plan("a", at: "3.0", in: [try timeline(["1.0": "a", "2.0": ""])]))
    }

    @Test func `audiences do not bind one another`() throws {
        _ = try publication(try plan("a", at: "3.0", in: [try timeline(["2.0": "-a"], audience: guest)]))
    }

    @Test func `deleting is a revision too`() throws {
        let result = try publication(try plan(nil, at: "2.0", in: [try timeline(["2.0": "a"])]))
        #expect(result.revision.kind == .deleted && result.revision.set == nil && result.menu == nil)
        #expect(failure { try plan(nil, at: "2.1", in: [try timeline(["2.0": "a"])]) }?.code == .unknownResource)
        #expect(failure { try plan(nil, at: "2.0", in: [try timeline(["2.0": "a"])], holds: false) }?.code == .preconditionFailed)
    }

    @Test(arguments: [("2.0", ["b"]), ("1.0", ["a", "k"]), ("3.0", ["c"])])
    func `deleting warns of ids that only the set mentions, or of all without a set below`(from: String, ids: [String]) throws {
        let result = try publication(try plan(nil, at: from, in: [try timeline(["1.0": "a k", "2.0": "b k", "3.0": "c k"])]))
        #expect(result.warnings.map(\.code) == ids.map { _ in "id-dropped" })
        for (warning, id) in zip(result.warnings, ids) { #expect(warning.message.contains("\"\(id)\"")) }
    }

    @Test func `deleting warns of ids whose chain it breaks`() throws {
        let result = try publication(try plan(nil, at: "2.0", in: [try timeline(["1.0": "a", "2.0": "b<a", "3.0": "b"])]))
        #expect(result.warnings.contains { $0.message.contains("\"a\"") }, "a tap on a at 3.0 was replaced by b and would be removed")
    }

    @Test(
        arguments: [
            (["1.0": "a b"], ["c"]), (["1.0": "a b", "2.5": "a"], ["b", "c"]), (["2.5": "a b"], ["a", "b", "c"]), ([:], ["a", "b", "c"]),
        ] as [(KeyValuePairs<String, String>, [String])])
    func `an audience whose last set is deleted is served the default timeline`(standard: KeyValuePairs<String, String>, lost: [String])
        throws
    {
        let timelines = [try timeline(standard), try timeline(["2.0": "a b c"], audience: guest)].filter { !$0.sets.isEmpty }
        let result = try publication(try plan(nil, at: "2.0", in: timelines, audience: guest))
        let messages = lost.map { "\"\($0)\" would have no rule: a tap on it gets the outcome \"removed\"." }
        #expect(result.warnings.map(\.message) == messages)
    }
}
