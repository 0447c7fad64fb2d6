internal import Foundation
internal import QuickActions

/// A fetched menu.
struct KnownMenu: Sendable {
    let answer: KeptAnswer
    let served: ServedMenu
    let menu: QuickActionMenu
    private let items: [ItemID: ServedItem]

    /// - Throws: see `reading`, and `Installation.require`.
    init(_ answer: KeptAnswer, for installation: Installation) throws(LongpressError) {
        self.answer = answer
        served = try reading(answer.body) { json throws(DocumentError) in try ServedMenu(json, for: installation.build) }
        try installation.require(served.subject)
        menu = QuickActionMenu(served)
        items = Dictionary(served.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The item that a tag names, if it is unchanged since it was served.
    func current(_ tag: TapTag) -> ServedItem? {
        guard let item = items[tag.item], tag.outcome(of: item, revision: served.subject.revision) == .current else { return nil }
        return item
    }

    /// Resolves a tap on an item of this menu. Nil if the tag names no item of the menu.
    func landing(_ tag: TapTag, installed: AppBuild) -> CarriedBundle.Landing? {
        items[tag.item].map { item in
            CarriedBundle.Landing(
                outcome: tag.outcome(of: item, revision: served.subject.revision), origin: TapOrigin(of: tag.version, installed: installed),
                item: item, url: nil)
        }
    }
}

/// A bundle: the fetched one, or the one in the app's resources.
struct KnownBundle: Sendable {
    /// Nil for the bundle in the app's resources.
    let answer: KeptAnswer?
    let bundle: CarriedBundle
    let menu: QuickActionMenu

    init(_ answer: KeptAnswer, for installation: Installation) throws(LongpressError) {
        self.answer = answer
        bundle = try reading(answer.body) { json throws(DocumentError) in
            try CarriedBundle(json, in: installation.preference, for: installation.build)
        }
        try installation.require(bundle.subject)
        menu = QuickActionMenu(bundle.menu)
    }

    /// The bundle in the app's resources. It must be for the running app and version, and can be for any audience.
    init(carried bytes: [UInt8], for installation: Installation) throws(LongpressError) {
        answer = nil
        bundle = try reading(bytes) { json throws(DocumentError) in
            try CarriedBundle(json, in: installation.preference, for: installation.build)
        }
        guard bundle.subject.app == installation.app, bundle.subject.version == installation.build.version else {
            throw .wrongMenu(app: bundle.subject.app.description, version: bundle.subject.version.description)
        }
        menu = QuickActionMenu(bundle.menu)
    }
}

extension TapTag {
    func outcome(of item: ServedItem, revision: Int64) -> TapOutcome {
        outcome(action: item.action.string, revision: revision, language: item.language)
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
