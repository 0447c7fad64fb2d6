import QuickActions

/// What a comment says of one app.
struct AppComment {
    /// Published documents that the tree lacks, to name items by their titles.
    struct Live {
        var app: JSON?
        var sets: [SetName: JSON] = [:]
    }

    private let app: PlannedChanges.OfApp
    private let application: Application
    private let live: Live
    private let language: String
    private let fallbackURL: String?
    /// The sets of the tree.
    private let sets: [SetName: JSON]
    /// The titles of the items of all sets, by id.
    private let titles: [String: JSON]

    init(_ app: PlannedChanges.OfApp, of application: Application, _ live: Live) {
        self.app = app
        self.application = application
        self.live = live
        let own = application.document(.app, of: app.app)
        language = own?.text("defaultLanguage") ?? live.app?.text("defaultLanguage") ?? "en"
        fallbackURL = (own ?? live.app)?.text("fallbackURL")
        let members = application.apps[Text(app.app.description)]?["sets"]?.members ?? []
        sets = Dictionary(
            members.compactMap { member in SetName(member.name.string).map { ($0, member.value) } }, uniquingKeysWith: { first, _ in first }
        )
        let known = (sets.sorted { $0.key < $1.key } + live.sets.sorted { $0.key < $1.key }).flatMap { $0.value.elements("items") }
        titles = Dictionary(
            known.compactMap { item in item.text("id").flatMap { id in item["title"].map { (id, $0) } } },
            uniquingKeysWith: { first, _ in first })
    }

    var hasConflicts: Bool { !app.conflicts.isEmpty }

    var counts: PlanCounts { PlanCounts(app) }

    /// One line.
    var line: String { "- \(GitHubText.code(app.app.description, upTo: 160)): \(counts.words).\n" }

    /// A section that GitHub folds.
    /// - Parameter isDetailed: whether differences are shown.
    func section(isDetailed: Bool, isOpen: Bool) -> String {
        let name = (application.document(.app, of: app.app) ?? live.app)?.text("name")
        let title = (name.map { "\(GitHubText.html($0)) " } ?? "") + GitHubText.html(app.app.description)
        var text = "<details\(isOpen ? " open" : "")>\n<summary>\(title): \(counts.words)</summary>\n\n"
        if app.isDrafted {
            let approvals = app.approvals == 0 ? "publish" : "approve and publish"
            let editors =
                app.approvals == 0 ? "" : " \(counted(Int(clamping: app.approvals), "publisher")) who did not edit a draft must approve it."
            text += "Applying saves drafts, which people \(approvals) in the console.\(editors)\n\n"
        }
        if hasConflicts {
            text += "**Conflicts.** Nothing is applied before they are decided.\n\n"
            text += app.conflicts.map { conflict($0, isDetailed: isDetailed) }.joined() + "\n"
        }
        for change in app.changes { text += self.change(change, isDetailed: isDetailed) + "\n" }
        for draft in app.withdrawn {
            text += "**The draft of \(draft.name.version) for \(reader(draft.name)) is withdrawn**, because git no longer contains it.\n\n"
        }
        if !app.drift.isEmpty {
            text += "**Left alone.** Somebody changed these menus on the service. `longpress pull` brings the changes into git.\n\n"
            text += app.drift.map { drift($0, isDetailed: isDetailed) }.joined() + "\n"
        }
        return text + "</details>\n"
    }
}

extension AppComment {
    private func change(_ change: PlannedChanges.Change, isDetailed: Bool) -> String {
        let document = change.merged ?? application.document(change.name, of: app.app)
        let before: JSON? = if case .set(let name) = change.name { live.sets[name] } else { nil }
        let after = change.action == "delete" ? nil : document
        let sentences = self.sentences(from: before, to: after)
        var text = "**\(heading(of: change))**\n\n"
        var lines: [String] = []
        if case .set(let name) = change.name {
            text += "\(reach(of: name))\(notes(on: change))\n\n"
            if let difference = change.difference, isDetailed, change.action != "delete" { lines = sentences.lines(of: difference) }
        } else if let fields = change.fields, isDetailed {
            lines = self.lines(of: fields.members, in: change)
        }
        text += (lines + change.notes(isDrafted: app.isDrafted, time: Self.day).map(GitHubText.prose)).map { "- \($0)\n" }.joined()
        return text + findings(change.warnings, sentences, document)
    }

    private func heading(of change: PlannedChanges.Change) -> String {
        switch (change.name, change.action) {
        case (.app, "create"): "The app is new."
        case (.app, _): "The app's settings change."
        case (.set(let name), "create"): "\(menu(name)) is new."
        case (.set(let name), "delete"): "\(menu(name)) is deleted."
        case (.set(let name), _): "\(menu(name)) changes."
        case (.release(let id), "create"): "Release \(GitHubText.code(id.description)) is new."
        case (.release(let id), _): "Release \(GitHubText.code(id.description)) changes."
        }
    }

    private func menu(_ name: SetName, _ article: String = "The") -> String {
        "\(article) menu of \(name.version) for \(reader(name))"
    }

    private func reader(_ name: SetName) -> String {
        name.audience == .default ? "everyone" : GitHubText.code(name.audience.description)
    }

    /// The versions that get the menu: up to the next menu of the audience.
    private func reach(of name: SetName) -> String {
        let deleted = app.changes.compactMap { change -> SetName? in
            if case .set(let name) = change.name, change.action == "delete" { name } else { nil }
        }
        let others = Set(sets.keys).union(app.drift.filter { $0.action != "delete" }.map(\.name)).subtracting(deleted)
        let next = others.filter { $0.audience == name.audience && $0.version > name.version }.map(\.version).min()
        return "For versions from \(name.version) \(next.map { "up to \($0)" } ?? "on")."
    }

    private func notes(on change: PlannedChanges.Change) -> String {
        var notes = ""
        if change.action == "delete" { notes += " These versions get the menu of an earlier version, or keep the menu that they have." }
        if change.merged != nil { notes += " Merged with what somebody changed on the service." }
        if let published = change.published, published < app.revision { notes += " This is the menu of revision \(published) again." }
        return notes
    }

    private func lines(of fields: [JSON.Member], in change: PlannedChanges.Change) -> [String] {
        if change.name.isRelease {
            guard change.action != "create", !fields.isEmpty else { return [] }
            return ["Changed: \(fields.prefix(20).map { GitHubText.code($0.name.string) }.joined(separator: ", "))."]
        }
        return fields.map { field in
            let (old, new) = (field.value["old"] ?? .null, field.value["new"] ?? .null)
            let words = [old, new].map { $0.isNull ? "nothing" : GitHubText.code($0.plain) }
            return "\(SetSentences.memberName(field.name.string)): \(old.isNull ? words[1] : "~~\(words[0])~~ → \(words[1])")"
        }
    }

    private func sentences(from before: JSON?, to after: JSON?) -> SetSentences {
        SetSentences(before: before, after: after, titles: titles, language: language, fallbackURL: fallbackURL)
    }

    private func conflict(_ conflict: PlannedChanges.Conflict, isDetailed: Bool) -> String {
        let (subject, set): (String, JSON?) =
            switch conflict.name {
            case .set(let name): (menu(name), application.document(conflict.name, of: app.app) ?? live.sets[name])
            case .app, .release: ("The app", nil)
            }
        let what =
            if !conflict.members.isEmpty || conflict.name == .app {
                "was changed in git, and on the service\(conflict.origin.sentence)"
            } else if conflict.isDeletedInGit {
                "was deleted in git, and changed on the service\(conflict.origin.sentence)"
            } else {
                "was changed in git, and deleted on the service"
            }
        let sentences = self.sentences(from: set, to: set)
        var text = "- \(subject) \(what).\n"
        for member in isDetailed ? conflict.members : [] {
            func value(_ side: Text) -> String { member[side].map { GitHubText.code($0.plain) } ?? "nothing" }
            let place = SetSentences.memberName(member.text("member") ?? "")
            let owner = member.text("item").map { " of \(sentences.name($0))" } ?? ""
            text += "  - \(place)\(owner): was \(value("base")), is \(value("mine")) in git and \(value("theirs")) on the service.\n"
        }
        let option = GitHubText.code(NamedDocuments.name(conflict.name, of: app.app), upTo: 220)
        return text + "  - Decide with `--use-git` \(option) or `--use-live` \(option).\n"
    }

    private func drift(_ drift: PlannedChanges.Drift, isDetailed: Bool) -> String {
        let verb = ["create": "created", "delete": "deleted"][drift.action] ?? "changed"
        var text = "- \(menu(drift.name)) was \(verb)\(drift.origin.sentence)."
        if let time = drift.revertsAt { text += " It reverts automatically on \(Self.day(time)), unless someone publishes before then." }
        text += "\n"
        guard isDetailed, drift.action != "delete" else { return text }
        let sentences = self.sentences(from: sets[drift.name], to: live.sets[drift.name])
        return text + sentences.lines(of: drift.difference).map { "  - \($0)\n" }.joined()
    }

    /// The lost taps, then the other warnings.
    private func findings(_ warnings: [Finding], _ sentences: SetSentences, _ document: JSON?) -> String {
        let lost = warnings.filter(\.isOfLostTap)
        var text = ""
        if !lost.isEmpty {
            text +=
                "\n⚠️ **Taps that are lost after the update.** No rule says what they do. List the ids under `replaces` of an item, or under "
            text += "`retired`.\n\n"
            for finding in lost {
                let id = finding.quotedID ?? ""
                text += "- A tap on \(sentences.name(id)) (id \(GitHubText.code(id))) \(sentences.opens(nil)).\(finding.standing)\n"
            }
        }
        let others = warnings.filter { !$0.isOfLostTap }
        guard !others.isEmpty else { return text }
        text += "\n⚠️ **Warnings**\n\n"
        return text + others.map { "- \($0.comment(on: document, sentences))\($0.standing)\n" }.joined()
    }

    /// `25 Nov 2026 at 09:00 UTC`
    static func day(_ time: String) -> String {
        guard let timestamp = Timestamp(time) else { return GitHubText.code(time) }
        let text = timestamp.description
        let parts = text.split(whereSeparator: { "-T:".contains($0) }).map(String.init)
        guard parts.count >= 5, let month = Int(parts[1]), let day = Int(parts[2]), 1...12 ~= month else { return GitHubText.code(time) }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(day) \(months[month - 1]) \(parts[0]) at \(parts[3]):\(parts[4]) UTC"
    }
}

extension PlannedChanges.Origin {
    /// ` by ana on 25 Nov 2026 at 09:00 UTC (revision 42)`
    fileprivate var sentence: String {
        (author.map { " by \(GitHubText.code($0))" } ?? "") + (time.map { " on \(AppComment.day($0))" } ?? "")
            + (revision.map { " (revision \($0))" } ?? "")
    }
}

extension Finding {
    var isOfLostTap: Bool { code == "id-dropped" }

    /// The first quoted word of the message: for a lost tap, the id of its item.
    fileprivate var quotedID: String? {
        let parts = message.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? String(parts[1]) : nil
    }

    fileprivate var standing: String { isNew ? "" : " (also in the current menu)" }

    /// The console's sentence, after the title of the item that it is about.
    fileprivate func comment(on document: JSON?, _ sentences: SetSentences) -> String {
        var about = ""
        let match = path.wholeMatch(of: /items\[(\d+)\](?:\.(.*))?/)
        if let index = match.flatMap({ Int($0.output.1) }), let items = document?.elements("items"), items.indices.contains(index),
            let id = items[index].text("id")
        {
            about = "\(sentences.name(id)): "
        }
        let member = match.flatMap { $0.output.2.map(String.init) } ?? path
        let language = member.split(separator: ".").dropFirst().first.map { " in \(GitHubText.code(String($0)))" } ?? ""
        switch code {
        case "over-budget": return "More items are enabled than fit. iOS shows four, static items first, and hides the rest."
        case "title-missing": return "\(about)Add a title\(language)."
        case "title-emoji": return "\(about)The title\(language) has an emoji. Apple recommends an icon instead."
        case "title-app-name": return "\(about)The title\(language) repeats the app's name, which is beside the menu already."
        case "title-invisible": return "\(about)The text\(language) has only invisible characters. Enter visible text."
        case "text-direction":
            return "\(about)The text\(language) has an invisible character that changes the order of letters. Type it again."
        default:
            let own = message.hasPrefix(path) && !path.isEmpty ? String(message.dropFirst(path.count)) : message
            let sentence = GitHubText.prose(own.trimmed)
            return about + (own == message ? sentence : "\(SetSentences.memberName(member)) \(sentence)")
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
