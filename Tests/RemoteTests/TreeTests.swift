import Foundation
import QuickActions
import Testing

@testable import Remote

@Suite struct `A tree` {
    private static let set = #"{"items": []}"#

    @Test func `has the documents of its files under the names that a service knows them by`() throws {
        let folder = try Folder([
            "README.md": "# Menus", ".git/config": "x", "com.example.mail/app.json": #"{"defaultLanguage": "en"}"#,
            "com.example.mail/NOTES.txt": "", "com.example.mail/sets/.DS_Store": "", "com.example.mail/sets/3.json.theirs": "",
            "com.example.mail/sets/2.json": Self.set,
            "com.example.mail/sets/2.0@member.json": Self.set, "com.example.mail/sets/2.01@default.json": Self.set,
            "com.example.mail/releases/3+512.json": "{}", "com.example.mail/releases/3.json": #"{"build": "513"}"#,
            "com.example.notes/sets/1.json": Self.set, "com.example.empty": nil,
        ])
        let tree = try TreeReader.read(folder.path + "//")
        #expect(tree.folder == folder.path)
        let names = tree.documents.map { "\($0.app): \($0.files.map(\.name.title).joined(separator: ", "))" }
        #expect(
            names == [
                "com.example.mail: app, set 2.0.0, set 2.0.0@member, set 2.1.0, release 3.0.0+512, release 3.0.0+513",
                "com.example.notes: set 1.0.0",
            ])
    }

    @Test(arguments: [
        ("stray.csv", "one folder per app"), ("a b/app.json", "is not an app id"),
        ("com.example.mail/notes.csv", "app.json, sets/ and releases/"),
        ("com.example.mail/sets/2.0.0.yaml", "2.0.0@member.json"), ("com.example.mail/sets/two.json", "is not the name of a set"),
        ("com.example.mail/sets/2.0.0@Member.json", "is not the name of a set"), ("com.example.mail/sets/2.0.0+1.json", "is not the name"),
        ("com.example.mail/sets/deeper/2.0.0.json", "is a folder"), ("com.example.mail/releases/3.0.0@a.json", "is not a version"),
        ("com.example.mail/releases/3.0.0.csv", "3.0.0.plist"), ("com.example.mail/app.json/x", "app.json, sets/ and releases/"),
        ("com.example.mail/set/2.0.0.json", "app.json, sets/ and releases/"),
    ])
    func `refuses what is not of it, by name`(_ file: String, _ word: String) throws {
        let folder = try Folder([file: "{}"])
        let failure = #expect(throws: RemoteFailure.self) { try TreeReader.read(folder.path) }
        let description = try #require(failure?.description)
        #expect(description.hasPrefix(folder.path + "/") && description.contains(word), "\(description)")
    }

    @Test func `refuses all that is wrong together`() throws {
        let folder = try Folder([
            "a/sets/2.json": "{", "a/sets/2.0.json": Self.set, "a/sets/2.0.0.json": Self.set, "a/sets/3.json": "\u{FEFF}{}",
            "a/releases/3+512.json": "{}", "a/releases/3.json": #"{"build": 512}"#, "a/releases/3.0.json": #"{"build": "512"}"#,
            "b/sets/1.json": #"{"items": [], "items": []}"#, "stray": "",
        ])
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.path + "/a")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/a/app.json", withDestinationPath: "nowhere")
        let failure = #expect(throws: RemoteFailure.self) { try TreeReader.read(folder.path) }
        let lines = failure?.description.split(separator: "\n").map { $0.replacing(folder.path + "/", with: "") }
        #expect(
            lines?.map { $0.prefix { $0 != ":" } } == [
                "a/app.json is a symbolic link, which a tree may not contain. Expected app.json, sets/ and releases/.",
                "a/releases/3+512.json and a/releases/3.0.json are the same release 3.0.0+512. Keep one of the two.",
                "a/sets/2.0.0.json and a/sets/2.0.json are the same set 2.0.0. Keep one of the two.", "a/sets/2.json is not JSON",
                "a/sets/3.json begins with a byte order mark, which JSON may not have. Save it as UTF-8 without one.",
                "b/sets/1.json is not JSON",
                "link is a symbolic link, which a tree may not contain. Expected one folder per app, named after its bundle identifier.",
                "stray is a file that is not part of the layout. Expected one folder per app, named after its bundle identifier.",
            ])
    }

    @Test func `knows its file by a path from the root of what is sent`() throws {
        let folder = try Folder([
            "com.example.mail/sets/2.json": Self.set, "com.example.mail/sets/2@member.json": Self.set, "mail/sets/2.json": Self.set,
        ])
        let tree = try TreeReader.read(folder.path)
        let places = [
            (#"apps["com.example.mail"].sets["2.0.0"].items[1].url"#, "com.example.mail/sets/2.json", "items[1].url"),
            (#"apps["com.example.mail"].sets["2.0.0@member"]"#, "com.example.mail/sets/2@member.json", ""),
            (#"apps.mail.sets["2.0.0"].items"#, "mail/sets/2.json", "items"),
        ]
        for (path, file, rest) in places {
            let place = try #require(tree.place(of: path))
            #expect(place.file.path == "\(folder.path)/\(file)" && place.path == rest)
        }
        #expect(tree.place(of: #"apps["com.example.mail"].sets["2.0.00"].items"#) == nil && tree.place(of: "apps") == nil)
        let finding = Finding(path: places[0].0, code: "url-invalid", message: "\(places[0].0) is no URL.")
        #expect(finding.sentence(in: tree) == "\(folder.path)/com.example.mail/sets/2.json: items[1].url is no URL.")
    }
}
