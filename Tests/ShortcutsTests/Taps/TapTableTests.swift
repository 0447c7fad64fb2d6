import QuickActions
import Testing

@testable import Shortcuts

/// Resolves a tap: `a@1.0` is the item `a` as served to 1.0, with its real action hash if the set in effect has it.
func resolve(
    _ tapped: String, installed: String, in timelines: [Timeline], app: App? = nil, releases: [Release] = [],
    changing: [String: JSON?] = [:], audience: Audience? = nil, type: String? = nil
) throws -> JSON {
    let parts = tapped.split(separator: "@").map(String.init)
    let snapshot = try snapshot(timelines, releases: releases, app: app)
    var members: [JSON.Member] = [JSON.Member("mine", .integer(1))]
    var tappedType = type ?? "type.\(parts[0])"
    if parts.count == 2 {
        let client = Client(build: try build(parts[1]), audience: audience ?? .default)
        let served = ShortcutsAnswer(for: client, in: snapshot)?.json["items"]
        var tag: JSON?
        if case .array(let items)? = served {
            tag = items.compactMap { $0["userInfo"] }.first { $0["longpress.item"]?.text == "\"\(parts[0])\"" }
        }
        let plain =
            #"{"longpress.schema":1,"longpress.item":"\#(parts[0])","longpress.version":"\#(try build(parts[1]))","longpress.revision":1,"longpress.language":"en","longpress.action":"0000000000000000"}"#
        guard case .object(let stamped) = try tag ?? read(plain) else { throw Failure(.internalError, "no tag") }
        members += stamped
    } else {
        tappedType = type ?? tapped
    }
    for (name, value) in changing {
        members.removeAll { $0.name == Text(name) }
        if let value { members.append(JSON.Member(Text(name), value)) }
    }
    let tap = Tap(installed: try build(installed), type: Text(tappedType), userInfo: members, audience: audience, language: .none)
    return TapAnswer(to: tap, in: snapshot).json
}

extension JSON {
    /// `outcome origin item url refresh`
    var summary: String {
        func plain(_ json: JSON?) -> String { json?.text.replacing("\"", with: "").replacing("null", with: "-") ?? "?" }
        return [
            plain(self["outcome"]), plain(self["origin"]), plain(self["item"]?["userInfo"]?["longpress.item"] ?? JSON.null),
            plain(self["url"]), plain(self["refresh"]),
        ].joined(separator: " ")
    }
}

@Suite struct TapTableTests {
    @Test(arguments: [
        // In the effective set.
        ("a@1.0", "1.0", "current same a - false"), ("a@1.0", "1.5", "current past a - true"), ("a@1.5", "1.0", "current future a - true"),
        ("k@1.0", "2.0", "equivalent past k - true"), ("k@2.0", "1.0", "equivalent future k - true"),
        ("off@1.0", "1.0", "changed same off - true"),
        // Successors.
        ("a@1.0", "2.0", "replaced past b - true"), ("a@1.0", "3.0", "replaced past c - true"), ("b@2.0", "3.0", "replaced past c - true"),
        ("z@0.1", "1.0", "replaced past a - true"), ("z@0.1", "3.0", "replaced past c - true"),
        ("gone@1.0", "2.0", "retired past - notes://gone true"), ("gone@1.0", "3.0", "retired past - notes://gone true"),
        ("silent@1.0", "2.0", "retired past - notes://two true"), ("silent@1.0", "3.0", "retired past - app://f true"),
        ("x@2.0", "3.0", "retired past - notes://x true"), ("w@1.0", "3.0", "retired past - notes://x true"),
        ("dropped@1.0", "2.0", "removed past - notes://two true"), ("dropped@1.0", "3.0", "removed past - app://f true"),
        ("never@1.0", "3.0", "removed past - app://f true"), ("never@3.0", "3.0", "removed same - app://f true"),
        // Downgrades: predecessors.
        ("b@2.0", "1.0", "replaced future a - true"), ("c@3.0", "2.0", "replaced future b - true"),
        ("c@3.0", "1.0", "replaced future a - true"), ("c@9.0", "1.0", "replaced future a - true"),
        ("x@2.0", "1.0", "replaced future w - true"), ("new@3.0", "1.0", "removed future - app://f true"),
        ("new@3.0", "2.0", "removed future - notes://two true"),
        ("both@3.0", "2.0", "replaced future k - true"),
        // Below every set.
        ("a@1.0", "0.5", "removed future - app://f true"), ("a@0.5", "0.5", "removed same - app://f true"),
    ])
    func `what a tagged tap means`(tapped: String, installed: String, expected: String) throws {
        let timeline = try timeline([
            "1.0": "a<z k gone silent dropped !off w", "2.0": "b<a k -gone@notes://gone -silent x<w @notes://two",
            "3.0": "c<b new -x@notes://x both<dropped2,k",
        ])
        let answer = try resolve(tapped, installed: installed, in: [timeline], app: try app(fallbackURL: "app://f"))
        #expect(answer.summary == expected)
        #expect(answer["tapped"]?.text == #"{"mine":1}"#)
    }

    @Test(arguments: [
        ("2.1+5", "2.1+5", "same"), ("2.1+5", "2.1+6", "past"), ("2.1+5", "2.1+4", "future"), ("2.1+5", "2.1", "same"),
        ("2.1", "2.1+5", "same"), ("2.1+9", "2.2+1", "past"), ("2.10", "2.9", "future"), ("2.1", "2.1.0", "same"),
    ])
    func `the origin compares builds where both name one`(tagged: String, installed: String, origin: String) throws {
        #expect(
            try resolve("a@\(tagged)", installed: installed, in: [try timeline(["1.0": "a"])]).summary
                == "current \(origin) a - \(origin != "same")")
    }

    @Test(arguments: [("x", "1.0", "removed same - - true"), ("b@3.0", "1.0", "replaced future a - true")])
    func `predecessors are followed through intermediate sets`(tapped: String, installed: String, expected: String) throws {
        let timeline = try timeline(["1.0": "a", "2.0": "m<a", "3.0": "b<m"])
        #expect(try resolve(tapped.contains("@") ? tapped : "\(tapped)@1.0", installed: installed, in: [timeline]).summary == expected)
    }

    @Test(arguments: ["1.0", "1.5"]) func `a downgrade goes on with the first of several predecessors`(installed: String) throws {
        let timeline = try timeline(["1.0": "a", "2.0": "m<a n", "3.0": "b<m,n"])
        #expect(try resolve("b@3.0", installed: installed, in: [timeline]).summary == "replaced future a - true")
    }

    @Test func `an id replaced within one version resolves to its successor`() throws {
        #expect(try resolve("old@1.0", installed: "1.0", in: [try timeline(["1.0": "new<old"])]).summary == "replaced same new - true")
    }

    @Test func `a disabled item's tap resolves and is not visible`() throws {
        let answer = try resolve("a@1.0", installed: "2.0", in: [try timeline(["1.0": "a", "2.0": "!a"])])
        #expect(answer.summary == "equivalent past a - true")
        #expect(answer["item"]?["visible"]?.text == "false")
        #expect(
            try resolve("z@1.0", installed: "2.0", in: [try timeline(["1.0": "z", "2.0": "!a<z"])]).summary == "replaced past a - true")
    }

    @Test(
        arguments: [
            ("guest", nil, "changed same b - true"), (nil, "guest", "changed same b - true"), ("guest", "default", "changed same b - true"),
            ("default", "guest", "removed same - - true"), (nil, nil, "removed same - - true"), (nil, "nobody", "removed same - - true"),
            (nil, "!", "removed same - - true"),
        ] as [(String?, String?, String)])
    func `ids are looked up in the body's audience, else the tag's`(body: String?, tagged: String?, expected: String) throws {
        let guest = try #require(Audience("guest"))
        let timelines = [try timeline(["1.0": "a"]), try timeline(["1.0": "b"], audience: guest)]
        let answer = try resolve(
            "b@1.0", installed: "1.0", in: timelines,
            changing: ["longpress.audience": tagged.map { .string($0) }, "longpress.action": .string("0")],
            audience: body.flatMap { Audience($0) })
        #expect(answer.summary == expected)
    }
}
