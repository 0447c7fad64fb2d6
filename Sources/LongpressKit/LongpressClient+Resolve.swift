internal import Foundation
internal import QuickActions

extension LongpressClient {
    /// Resolves a tap for the running version of the app.
    ///
    /// It never throws. A tap on one of the app's own items needs neither documents nor a configuration. Otherwise, it needs no request if the client has stored or bundled documents of the running version and audience. It asks the
    /// service if there are no such documents. It also asks after a downgrade, if the item of a later version is `removed` in the
    /// documents, because only the service can trace the item back. It waits at most ``LongpressConfiguration/patience`` for the answer.
    /// Without an answer, it uses the documents of the shown menu. Without documents, the outcome is `unknown`.
    ///
    /// With ``LongpressConfiguration/countsTaps``, the tap is counted and stored before this returns.
    public func resolve(_ tap: QuickActionTap) async -> ResolvedAction {
        let tapped = Tapped(tap)
        // Its id may be the name of a document, so it is not counted.
        if let own = tapped.own { return own }
        // Before the service is asked, because the menu may change meanwhile.
        let arm = shownArm
        let action = await resolve(tapped, in: arm)
        count(action, in: arm)
        return action
    }

    private func resolve(_ tapped: Tapped, in arm: ChosenArm?) async -> ResolvedAction {
        load()
        guard case .success(let installation) = installation else { return tapped.unknown(url: nil) }
        if tapped.tag == nil, staticTypes.contains(tapped.type) { return tapped.static }
        guard let landing = landing(tapped, for: installation) else {
            if let answer = await ask(tapped, for: installation, in: arm) { return answer }
            // The shown menu may be the default one, and its items must be resolved, too.
            let shown = menu.flatMap { Audience($0.audience) }.flatMap { landing(tapped, for: installation, in: $0) }
            return shown.map(tapped.resolved) ?? tapped.unknown(url: fallback(tapped, for: installation))
        }
        if landing.origin == .future, landing.outcome == .removed, let answer = await ask(tapped, for: installation, in: arm) {
            return answer
        }
        return tapped.resolved(landing)
    }

    /// Resolves a tap with the stored or bundled documents. Nil if there are none for this version and the audience that the service
    /// serves.
    private func landing(_ tapped: Tapped, for installation: Installation) -> CarriedBundle.Landing? {
        if let tag = tapped.tag, tag.revision == VersionTag.draftRevision, let previewMenu,
            let landing = previewMenu.landing(tag, installed: installation.build)
        {
            return landing
        }
        // The menu comes first, because its bundle may not have been fetched yet.
        if let tag = tapped.tag, let knownMenu, knownMenu.answer.key == installation.menuKey,
            let landing = knownMenu.landing(tag, installed: installation.build), landing.outcome == .current
        {
            return landing.falling(back: bundle(of: knownMenu.served.subject.audience, for: tag))
        }
        return landing(tapped, for: installation, in: servedAudience(installation))
    }

    /// Resolves a tap with the newest document of an audience: a bundle, or a menu whose bundle has not been fetched yet.
    private func landing(_ tapped: Tapped, for installation: Installation, in audience: Audience) -> CarriedBundle.Landing? {
        let bundle = bundle(of: audience, for: tapped.tag)
        if let tag = tapped.tag, let menu = knownMenu, menu.served.subject.audience == audience,
            menu.served.subject.revision > bundle?.subject.revision ?? 0, let landing = menu.landing(tag, installed: installation.build)
        {
            return landing.falling(back: bundle)
        }
        return bundle?.resolve(type: tapped.type, tapped.tag, installed: installation.build)
    }

    /// The newest stored or bundled document of an audience, in the arm of the stored menu.
    private func bundle(of audience: Audience, for tag: TapTag?) -> CarriedBundle? {
        let bundle = knownBundle?.bundle.subject.audience == audience ? knownBundle?.bundle : carried?.bundle(for: audience)
        if let knownMenu, knownMenu.served.subject.audience == audience { return bundle?.seen(by: knownMenu.choice) }
        // No menu is stored, for example after an update. Only an installation in the candidate arm has an item with its revision.
        guard let rollout = bundle?.rollout, tag?.revision == rollout.revision else { return bundle }
        return bundle?.seen(in: .candidate, of: rollout.id)
    }

    /// The audience that the service answered with last: `default` if this audience has no timeline. Without an answer, this audience.
    private func servedAudience(_ installation: Installation) -> Audience {
        let menu = knownMenu.flatMap { $0.answer.isFor(installation) ? $0.served.subject : nil }
        let bundle = knownBundle.flatMap { $0.answer.isFor(installation) ? $0.bundle.subject : nil }
        return (menu ?? bundle)?.audience ?? installation.audience
    }

    /// The URL for the outcome `unknown`: the URL in the tag if the running version registered the item, else the fallback of the bundled
    /// document.
    private func fallback(_ tapped: Tapped, for installation: Installation) -> URL? {
        if let tag = tapped.tag, TapOrigin(of: tag.version, installed: installation.build) == .same, let url = tapped.url { return url }
        guard let bundle = carried?.bundle(for: installation.audience) ?? carried?.bundle(for: .default) else { return nil }
        return bundle.continuity.otherwise.url.flatMap { URL(string: $0.string) }
    }

    /// The service's answer. Nil if it did not come in time, or cannot be read.
    private func ask(_ tapped: Tapped, for installation: Installation, in arm: ChosenArm?) async -> ResolvedAction? {
        guard configuration.patience > .zero else { return nil }
        let (answers, continuation) = AsyncStream.makeStream(of: ResolvedAction?.self, bufferingPolicy: .bufferingOldest(1))
        let asking = Task {
            let request = installation.tapRequest(
                configuration.server, type: tapped.type.string, tag: tapped.tagMembers, isCounted: !configuration.countsTaps, in: arm)
            continuation.yield((try? await send(request)).flatMap(tapped.answered))
        }
        let waiting = Task { [environment, patience = configuration.patience] in
            try? await environment.sleep(patience)
            continuation.yield(nil)
        }
        defer {
            asking.cancel()
            waiting.cancel()
        }
        for await answer in answers { return answer }
        return nil
    }
}

extension CarriedBundle.Landing {
    /// With the URL of the bundle for a personal item that cannot be filled. A menu does not have it.
    fileprivate func falling(back bundle: CarriedBundle?) -> Self {
        guard personal != nil else { return self }
        return Self(outcome: outcome, origin: origin, item: nil, personal: personal, url: bundle?.continuity.otherwise.url)
    }
}

/// A tap that is being resolved.
private struct Tapped {
    let type: Text
    private let members: [JSON.Member]
    let tag: TapTag?
    /// The values of a personal item. They never leave the device.
    private let values: [String: String]
    private let userInfo: [String: PropertyListValue]

    init(_ tap: QuickActionTap) {
        type = Text(tap.type)
        members = tap.userInfo.tagMembers
        tag = TapTag(members)
        values = PersonalValues.read(members)
        userInfo = tap.userInfo.withoutTag
    }

    /// The members of the version tag, for a request.
    var tagMembers: [JSON.Member] { members.filter { $0.name != VersionTag.Name.values } }

    /// The URL that the item was registered with; nil if it is a template.
    var url: URL? { values.isEmpty ? members.text(VersionTag.Name.url).flatMap { URL(string: $0.string) } : nil }

    /// The action, if the app registered the item itself.
    var own: ResolvedAction? {
        members.text(VersionTag.Name.own).map { id in
            ResolvedAction(outcome: .own, type: type.string, id: id.string, url: url, tapped: userInfo)
        }
    }

    func unknown(url: URL?) -> ResolvedAction { resolved(.unknown, nil, url, needsRefresh: true, .none) }

    var `static`: ResolvedAction { resolved(.static, nil, nil, needsRefresh: false, .none) }

    func resolved(_ landing: CarriedBundle.Landing) -> ResolvedAction {
        action(
            landing.outcome, landing.item, landing.personal, landing.url, needsRefresh: landing.outcome.needsRefresh(landing.origin),
            .continuity)
    }

    /// Nil if the response cannot be read.
    func answered(_ response: LongpressResponse) -> ResolvedAction? {
        guard response.status == 200,
            let served = try? reading(
                [UInt8](response.body), { json throws(DocumentError) in try ServedResolution(json) })
        else { return nil }
        return action(served.outcome ?? .unknown, served.item, served.personal, served.url, needsRefresh: served.refresh, .server)
    }

    /// - Parameter personal: filled with the tap's values. If one is missing, there is only the URL.
    private func action(
        _ outcome: TapOutcome, _ item: ServedItem?, _ personal: ServedPersonalItem?, _ url: Text?, needsRefresh: Bool,
        _ source: ResolvedAction.Source
    ) -> ResolvedAction {
        let item = (item ?? personal?.delivered(with: values)).map(QuickActionItem.init)
        let fallback = url.flatMap { URL(string: $0.string) }
        return resolved(.init(outcome), item, item.map(\.url) ?? fallback, needsRefresh: needsRefresh, source)
    }

    private func resolved(
        _ outcome: ResolvedAction.Outcome, _ item: QuickActionItem?, _ url: URL?, needsRefresh: Bool, _ source: ResolvedAction.Source
    ) -> ResolvedAction {
        ResolvedAction(
            outcome: outcome, type: type.string, id: tag?.item.description, item: item, url: url, needsRefresh: needsRefresh,
            tapped: userInfo, registeredBy: tag.map { .init(version: $0.version.description, revision: $0.revision) }, values: values,
            source: source)
    }
}

extension ResolvedAction.Outcome {
    fileprivate init(_ outcome: TapOutcome) {
        self =
            switch outcome {
            case .current: .current
            case .equivalent: .equivalent
            case .changed: .changed
            case .replaced: .replaced
            case .retired: .retired
            case .removed: .removed
            case .static: .static
            case .untagged: .untagged
            case .unknown: .unknown
            }
    }
}
