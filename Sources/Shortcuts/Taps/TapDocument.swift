import QuickActions

/// The body of `POST …/taps`: `{"type", "userInfo"?, "audience"?, "lang"?, "build"?, "counted"?, "rollout"?}`. Unknown members are ignored.
package struct TapDocument {
    /// The members in which a client could send values of personal items. Like other unknown members, they are ignored.
    private static let valueMembers: Set<Text> = ["values", VersionTag.Name.values]

    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Parameter language: the preference of the request, for a body without `lang`.
    package func tap(version: AppVersion, language: LanguagePreference) throws(Failure) -> Tap {
        let checker = DocumentChecker()
        let body = checker.lenientObject(json, at: .root, known: ["type", "userInfo", "audience", "lang", "build", "counted", "rollout"])
        let carriesValues = !Self.valueMembers.isDisjoint(with: json.members.map(\.name))
        let type = body?.required("type", checker.anyString)
        let userInfo = body?.optional("userInfo") { json, path -> [JSON.Member]? in
            guard case .object(let members) = json else {
                checker.mismatch(json, at: path, wanted: "an object")
                return nil
            }
            return members
        }
        let audience = body?.optional("audience", checker.audience)
        let build = body?.optional("build", checker.build)
        let range = body?.optional("lang", checker.languageRange)
        let isCounted = body?.boolean("counted")
        let choice = body?.optional("rollout", checker.rolloutChoice)
        try checker.finish()
        return Tap(
            installed: AppBuild(version, build: build), type: type ?? "", userInfo: userInfo ?? [], audience: audience,
            language: range ?? language, isCounted: isCounted ?? true,
            choice: choice, carriesValues: carriesValues || (userInfo ?? [])[VersionTag.Name.values] != nil)
    }
}

extension DocumentChecker {
    /// One language range, without a fallback to others, or `*`, which matches any language.
    fileprivate func languageRange(_ json: JSON, at path: DocumentPath) -> LanguagePreference? {
        guard let text = string(json, at: path) else { return nil }
        if text == "*" { return .exactly(nil) }
        return languageTag(text, at: path).map { .exactly($0) }
    }
}

extension DocumentChecker {
    /// `{"id", "arm", "threshold"?}`, where `arm` is `candidate` or `control`. Unknown members are ignored.
    func rolloutChoice(_ json: JSON, at path: DocumentPath) -> RolloutChoice? {
        guard let choice = lenientObject(json, at: path, known: ["id", "arm", "threshold"]) else { return nil }
        let id = choice.required("id", anyString)
        let arm = choice.required("arm") { json, path -> RolloutArm? in
            guard let text = string(json, at: path) else { return nil }
            guard let arm = RolloutArm(rawValue: text.string) else {
                note("value-unknown", at: path, "\(quoted(text.string)) is not an arm. Use \"candidate\" or \"control\".")
                return nil
            }
            return arm
        }
        let threshold = choice.optional("threshold") { integer($0, at: $1, in: 0...Int64(RolloutShare.whole)) }
        guard let id, let arm else { return nil }
        return RolloutChoice(rollout: RolloutID(id.string), arm: arm, share: threshold.flatMap { RolloutShare(threshold: Int($0)) })
    }
}

/// A tap on a quick action, as reported by the app that it opened.
package struct Tap: Sendable {
    let installed: AppBuild
    let type: Text
    /// As sent. It is not validated, because a tap must never fail for the person.
    let userInfo: [JSON.Member]
    let audience: Audience?
    let language: LanguagePreference
    /// Whether the service counts the tap. False for a client that counts its taps itself.
    package var isCounted = true
    /// The roll-out by which the installation chose its menu, and the arm; nil for an installation without one.
    var choice: RolloutChoice?
    /// Whether the body has values of a personal item.
    var carriesValues = false

    var tag: TapTag? { TapTag(userInfo) }

    /// Whether a preview link has shown the item. Such a tap is not counted.
    package var isOnDraft: Bool { tag?.revision == VersionTag.draftRevision }

    /// The audience in the tag, if it names one. It counts even if the rest of the tag is unusable.
    private var taggedAudience: Audience? { VersionTag.audience(in: userInfo) }

    /// The audience to resolve for.
    var requestedAudience: Audience { audience ?? taggedAudience ?? .default }
}
