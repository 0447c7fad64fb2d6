import QuickActions
import Testing

@testable import Shortcuts

/// The file of `--sign-in-roles`, and the people in it.
@Suite struct SignInRolesTests {
    private func roles(_ entries: String) throws -> SignInRoles {
        try SignInRolesDocument(try read(#"{"roles": [\#(entries)]}"#)).checked()
    }

    @Test func `the first entry that names the person or a group counts`() throws {
        let roles = try roles(
            """
            {"address": "Ana@example.com", "role": "owner"}, {"group": "mail", "role": "publisher", "apps": ["com.example.mail"]},
            {"group": "all staff", "role": "reader"}, {"address": "ben@example.com", "role": "owner"}
            """)
        func rights(_ address: String, _ groups: String = "") throws -> String? {
            let person = try #require(Person(address: address, groups: groups))
            return roles.rights(of: person).map { "\($0.role) \($0.scope.json.text)" }
        }
        #expect(try rights("ana@EXAMPLE.com", "mail") == "owner null")
        #expect(try rights("eve@example.com", "all staff, mail") == #"publisher ["com.example.mail"]"#)
        #expect(try rights("eve@example.com", "x,,all staff ,y") == "reader null")
        #expect(try rights("ben@example.com", "all staff") == "reader null" && rights("ben@example.com") == "owner null")
        for (address, groups) in [
            ("eve@example.com", ""), ("eve@example.com", "Mail,all,staff"), ("ana@example.com.", ""), ("mail", ""), ("all", "staff"),
        ] {
            #expect(try rights(address, groups) == nil, "\(address) \(groups)")
        }
        #expect(roles.hasGroups && roles.entries.count == 4)
        #expect(try !self.roles("").hasGroups)
    }

    @Test func `every violation of the file is found`() throws {
        let document = """
            {"roles": [{"address": "ana@example.com", "role": "king"}, {"group": "", "role": "owner"}, {"role": "owner"},
            {"address": "a", "group": "b", "role": "owner"}, {"address": "a b", "role": "reader", "apps": []}, 5,
            {"group": "a,b", "role": "reader"}, {"group": " a", "role": "reader"}, {"group": "g", "role": "reader", "app": "x"},
            {"address": "c", "role": "reader"}, {"address": "C", "role": "owner"}, {"address": "d"}], "users": []}
            """
        let found = failure { try SignInRolesDocument(try read(document)).checked() }?.found
        #expect(
            found == [
                "users: unknown-member", "roles[0].role: role-unknown", "roles[1].group: text-invalid", "roles[2]: required",
                "roles[3]: required", "roles[4].apps: apps-empty", "roles[4].address: text-invalid", "roles[5]: type-mismatch",
                "roles[6].group: text-invalid", "roles[7].group: text-invalid", "roles[8].app: unknown-member", "roles[10]: duplicate-id",
                "roles[11].role: required",
            ])
        for document in ["[]", "{}", #"{"roles": {}}"#, #"{"roles": null}"#] {
            #expect(failure { try SignInRolesDocument(try read(document)).checked() }?.found.count == 1, "\(document)")
        }
    }

    @Test(arguments: [
        ("ana@example.com", true), ("a", true), (String(repeating: "a", count: 100), true), ("DOMAIN\\ana", true), ("", false),
        (" ", false),
        (String(repeating: "a", count: 101), false), ("ana@example.com,eve@example.com", false), ("ana eve", false), ("ana\u{0}", false),
        ("änä@example.com", false), ("ana\u{7F}", false), ("ana\t", false),
    ])
    func `an address is a word of visible ASCII`(_ address: String, _ isOne: Bool) {
        #expect((Person(address: address) != nil) == isOne)
    }

    @Test func `a person is one however the address is spelled, and is read as it was stored`() throws {
        let (person, other) = (try #require(Person(address: "Ana@example.com", groups: "a, b ,,c d")), Person(address: "ANA@EXAMPLE.COM"))
        #expect(person.groups == ["a", "b", "c d"] && Person(stored: person.json) == person)
        #expect(other.map { TokenID(of: $0) } == TokenID(of: person) && TokenID(of: person).person == TokenOwner("ana@example.com"))
        #expect(TokenID("7HmXq2VdZ8sKc1RtYw5LnB").person == nil)
        for stored in ["null", "{}", #"{"address": "a"}"#, #"{"address": 1, "groups": []}"#] {
            #expect(Person(stored: try read(stored)) == nil, "\(stored)")
        }
    }
}
