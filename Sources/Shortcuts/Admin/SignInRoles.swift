import QuickActions

/// A person whom a proxy signed in.
package struct Person: Hashable, Sendable {
    /// As the proxy sends it. Like all owners, it is compared case-insensitively.
    package let address: TokenOwner
    /// The groups at the time of the sign-in, in the proxy's order.
    package let groups: [String]

    /// - Parameter groups: a list separated by commas.
    /// - Returns: nil if the address is invalid. A comma is invalid because a proxy may join repeated fields with one.
    package init?(address: String, groups: String = "") {
        guard (1...100).contains(address.utf8.count), address.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2C }) else {
            return nil
        }
        self.address = TokenOwner(address)
        self.groups = groups.split(separator: ",").map { String(String($0).trimmingBlanks) }.filter { !$0.isEmpty }
    }

    package static let addressRule = "1 to 100 visible ASCII characters without a comma"
}

extension Person {
    /// The stored form.
    package var json: JSON { ["address": .string(address), "groups": .array(groups.map { .string($0) })] }

    package init?(stored json: JSON) {
        guard case .object(let members) = json, let address = members.text("address"), case .array(let groups)? = json["groups"] else {
            return nil
        }
        self.address = TokenOwner(address.string)
        self.groups = groups.compactMap { group in if case .string(let text) = group { text.string } else { nil } }
    }
}

extension TokenID {
    private static var personPrefix: String { "person:" }

    /// The id that is recorded for a person whom a proxy signed in. It has a colon, which ids of tokens do not have.
    package init(of person: Person) { self.init(Self.personPrefix + person.address.description.caseFolded) }

    /// The person with this id; nil for the id of a token.
    package var person: TokenOwner? {
        description.hasPrefix(Self.personPrefix) ? TokenOwner(String(description.dropFirst(Self.personPrefix.count))) : nil
    }
}

/// The rights of people whom a proxy signs in: the file of `--sign-in-roles`.
package struct SignInRoles: Equatable, Sendable {
    package struct Rights: Equatable, Sendable {
        package let role: Role
        package let scope: Scope

        package init(role: Role, scope: Scope) {
            (self.role, self.scope) = (role, scope)
        }
    }

    package enum Subject: Hashable, Sendable {
        case address(TokenOwner)
        /// Compared case-sensitively.
        case group(String)
    }

    package struct Entry: Equatable, Sendable {
        let subject: Subject
        let rights: Rights
    }

    package let entries: [Entry]

    /// Whether any entry is for a group.
    package var hasGroups: Bool {
        entries.contains { if case .group = $0.subject { true } else { false } }
    }

    /// - Returns: the rights of the first entry that names the person or one of the person's groups; nil for a person without a role.
    package func rights(of person: Person) -> Rights? {
        let groups = Set(person.groups)
        return entries.first { entry in
            switch entry.subject {
            case .address(let address): address == person.address
            case .group(let group): groups.contains(group)
            }
        }?.rights
    }
}

/// The file: `{"roles": [{"address" or "group", "role", "apps"?}, …]}`; absent apps mean all.
package struct SignInRolesDocument {
    private let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    /// - Throws: `invalidDocument` with all violations.
    package func checked() throws(Failure) -> SignInRoles {
        let checker = DocumentChecker()
        let document = checker.object(json, at: .root, known: ["roles"])
        let elements = document?.required("roles") { json, path in checker.array(json, at: path) } ?? []
        var entries: [SignInRoles.Entry] = []
        var seen: Set<SignInRoles.Subject> = []
        for (index, element) in elements.enumerated() {
            let path = DocumentPath.root["roles"][index]
            guard let entry = checker.signInEntry(element, at: path) else { continue }
            if !seen.insert(entry.subject).inserted {
                checker.note(
                    "duplicate-id", at: path, "\(path) has no effect: an earlier entry has the same address or group. Remove one.")
            }
            entries.append(entry)
        }
        try checker.finish()
        return SignInRoles(entries: entries)
    }
}

extension DocumentChecker {
    fileprivate func signInEntry(_ json: JSON, at path: DocumentPath) -> SignInRoles.Entry? {
        guard let entry = object(json, at: path, known: ["address", "group", "role", "apps"]) else { return nil }
        let role = entry.required("role", self.role)
        let apps = entry.optional("apps", appIDs)
        if json.hasEmptyArray("apps") {
            note("apps-empty", at: path["apps"], "\(path["apps"]) is empty. Leave it out for all apps, or list at least one.")
        }
        let address = entry.optional("address", personAddress)
        let group = entry.optional("group", groupName)
        if entry.has("address") == entry.has("group") {
            note("required", at: path, "\(path) must have either an address or a group.")
            return nil
        }
        guard let role, let subject = address.map(SignInRoles.Subject.address) ?? group.map(SignInRoles.Subject.group) else { return nil }
        return SignInRoles.Entry(
            subject: subject, rights: SignInRoles.Rights(role: role, scope: apps.map { .apps(Set($0)) } ?? .all))
    }

    private func personAddress(_ json: JSON, at path: DocumentPath) -> TokenOwner? {
        guard let text = string(json, at: path) else { return nil }
        guard let person = Person(address: text.string) else {
            note("text-invalid", at: path, "\(path) is \(quoted(text.string)) and must have \(Person.addressRule).")
            return nil
        }
        return person.address
    }

    private func groupName(_ json: JSON, at path: DocumentPath) -> String? {
        let rule = "\(path) must have 1 to 200 characters, without commas, control characters, or spaces at the start or end."
        guard let text = line(json, at: path, upTo: 200, "text-invalid", { _ in rule })?.string else { return nil }
        guard !text.contains(","), text == text.trimmingBlanks else {
            note("text-invalid", at: path, rule)
            return nil
        }
        return text
    }
}
