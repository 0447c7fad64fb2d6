import Foundation
import QuickActions
import Testing

@testable import LongpressKit
@testable import Shortcuts

extension AppSnapshot {
    /// The app while a candidate of the set of 2.0 is rolled out.
    func rollingOut(_ candidate: String, as id: RolloutID = "r1", to threshold: Int, revision: Int64 = 9) throws -> AppSnapshot {
        var set = try #require(ownTimeline(of: .default).set(startingAt: version("2.0")))
        set.candidate = Candidate(
            rollout: id, share: try #require(RolloutShare(threshold: threshold)), revision: revision,
            startedAt: Timestamp(milliseconds: 0), by: "ci", set: try LongpressKitTests.set(candidate))
        return replacing(set, in: .default)
    }
}

extension JSON {
    /// A bundle with what a tap on each id means in the candidate arm, and with the candidate's disabled items.
    func withCandidates(for build: AppBuild, in snapshot: AppSnapshot) -> JSON {
        guard !isNull else { return self }
        let audience = self["audience"]?.asText.flatMap { Audience($0.string) } ?? .default
        let candidate = snapshot.timeline(for: audience).effectiveSet(for: build.version)?.candidate
        let seen = candidate.map { snapshot.seen(in: .candidate, of: $0.rollout) }
        return .object(
            members.map { member in
                switch member.name {
                case "audiences": member.mapping { $0.withCandidates(for: build, in: snapshot) }
                case "continuity":
                    JSON.Member(
                        member.name, member.value.withCandidate(candidate, Continuity(for: build.version, audience, in: seen ?? snapshot)))
                case "shortcuts":
                    member.mapping { menu in
                        let language = menu["language"]?.asText.flatMap { LanguageTag($0.string) }
                        let client = Client(build: build, audience: audience, language: .exactly(language))
                        return menu.withDisabled(seen.flatMap { ShortcutsAnswer(for: client, in: $0) })
                    }
                default: member
                }
            })
    }

    private func withCandidate(_ candidate: Candidate?, _ continuity: Continuity?) -> JSON {
        guard let candidate, let continuity, self["rollout"] == nil else { return self }
        let table = continuity.json
        return adding(
            "rollout",
            [
                "id": .string(candidate.rollout), "threshold": .integer(Int64(candidate.share.threshold)),
                "revision": .integer(candidate.revision), "ids": table["ids"], "otherwise": table["otherwise"],
            ])
    }

    private func withDisabled(_ candidate: ShortcutsAnswer?) -> JSON {
        guard let candidate, let rollout = self["rollout"], rollout["disabled"] == nil else { return self }
        let items = candidate.effective.set.items.filter { !$0.isEnabled }
        let disabled: JSON = [
            "disabled": .array(items.filter { $0.personal == nil }.map(candidate.json)),
            "disabledPersonal": .array(items.compactMap(candidate.personalJSON)),
        ]
        return .object(members.map { $0.name == "rollout" ? JSON.Member($0.name, rollout.adding(membersOf: disabled)) : $0 })
    }
}

extension JSON.Member {
    /// With every member of its object changed.
    fileprivate func mapping(_ change: (JSON) -> JSON) -> JSON.Member {
        JSON.Member(name, .object(value.members.map { JSON.Member($0.name, change($0.value)) }))
    }
}
