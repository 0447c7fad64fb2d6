internal import Foundation
internal import QuickActions

/// A fetched menu.
struct KnownMenu: Sendable {
    let answer: KeptAnswer
    /// In the chosen arm.
    let served: ServedMenu
    /// Nil without a roll-out.
    let choice: ChosenArm?
    let menu: QuickActionMenu
    private let entries: [ItemID: ServedMenu.Entry]

    /// - Parameter id: chooses the arm of a roll-out, unless the answer has one. Without an id, the menu is that of the set.
    /// - Throws: see `reading`, and `Installation.require`.
    init(
        _ answer: KeptAnswer, for installation: Installation, choosingBy id: @autoclosure () -> InstallationID? = nil
    ) throws(LongpressError) {
        let both = try reading(answer.body) { json throws(DocumentError) in try ServedMenu(json, for: installation.build) }
        try installation.require(both.subject)
        var answer = answer
        choice = both.rollout.flatMap { rollout in
            answer.arm = answer.arm ?? id().map { RolloutArm(of: $0.digits, in: rollout.id, share: rollout.share) }
            return answer.arm.map { ChosenArm(rollout: rollout.id, arm: $0, share: rollout.share) }
        }
        self.answer = answer
        served = choice.map { both.seen(in: $0.arm, of: $0.rollout) } ?? both
        menu = QuickActionMenu(served, choice)
        let all = served.items.map { ($0.id, ServedMenu.Entry.item($0)) } + served.personal.map { ($0.id, .personal($0)) }
        entries = Dictionary(all, uniquingKeysWith: { first, _ in first })
    }

    /// Resolves a tap on an item of this menu. Nil if the tag names no item of the menu.
    func landing(_ tag: TapTag, installed: AppBuild) -> CarriedBundle.Landing? {
        let (revision, origin) = (served.subject.revision, TapOrigin(of: tag.version, installed: installed))
        return switch entries[tag.item] {
        case .item(let item):
            CarriedBundle.Landing(
                outcome: tag.outcome(action: item.action.string, revision: revision, language: item.language), origin: origin, item: item,
                url: nil)
        case .personal(let item):
            CarriedBundle.Landing(
                outcome: tag.outcome(action: item.action.string, revision: revision, language: item.language), origin: origin, item: nil,
                personal: item, url: nil)
        case nil: nil
        }
    }
}

/// A fetched bundle.
struct KnownBundle: Sendable {
    let answer: KeptAnswer
    let bundle: CarriedBundle

    init(_ answer: KeptAnswer, for installation: Installation) throws(LongpressError) {
        self.answer = answer
        bundle = try reading(answer.body) { json throws(DocumentError) in
            try CarriedBundle(json, in: installation.preference, for: installation.build)
        }
        try installation.require(bundle.subject)
    }

    /// - Parameter choice: of the stored menu.
    func menu(in choice: ChosenArm?) -> QuickActionMenu {
        QuickActionMenu(bundle.seen(by: choice).menu, choice?.rollout == bundle.rollout?.id ? choice : nil)
    }
}

extension CarriedAudiences {
    /// The bundle in the app's resources, of one audience or of all.
    /// - Throws: `wrongMenu` if it is for another app or version; see also `reading`.
    init(resource bytes: [UInt8], for installation: Installation) throws(LongpressError) {
        self = try reading(bytes) { json throws(DocumentError) in
            try CarriedAudiences(json, in: installation.preference, for: installation.build)
        }
        guard first.subject.app == installation.app, first.subject.version == installation.build.version else {
            throw .wrongMenu(app: first.subject.app.description, version: first.subject.version.description)
        }
    }

    /// The bundle that an audience is served; nil if the document does not have it, or if the audience has no menu yet.
    func bundle(for audience: Audience) -> CarriedBundle? {
        if case .bundle(let bundle) = self[audience] { bundle } else { nil }
    }
}

extension Installation {
    /// - Throws: `wrongMenu` for a document of another app or version, `invalidResponse` for another audience. `default` is accepted for every audience, because the
    ///   service answers with it for an audience without a timeline.
    fileprivate func require(_ subject: ServedSubject) throws(LongpressError) {
        guard subject.app == app, subject.version == build.version else {
            throw .wrongMenu(app: subject.app.description, version: subject.version.description)
        }
        guard subject.audience == audience || subject.audience == .default else {
            throw .invalidResponse("it is for the audience \(subject.audience)")
        }
    }
}

/// Reads a document of the service.
/// - Throws: `invalidResponse`, `unsupportedSchema`.
func reading<Document>(
    _ bytes: [UInt8], _ read: (JSON) throws(DocumentError) -> Document
) throws(LongpressError) -> Document {
    guard let json = try? JSONReader.read(bytes) else { throw .invalidResponse("it is not JSON") }
    do throws(DocumentError) {
        return try read(json)
    } catch {
        switch error {
        case .schema(let schema): throw .unsupportedSchema(schema)
        case .malformed(let what): throw .invalidResponse(what)
        }
    }
}
