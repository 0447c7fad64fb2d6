import Foundation
import QuickActions
import Testing

@testable import Shortcuts

@Suite struct InfoPlistTests {
    static let plist: [String: any Sendable] = [
        "CFBundleIdentifier": "com.example.notes", "CFBundleShortVersionString": "2.1", "CFBundleVersion": "0512",
        "MinimumOSVersion": "15.0", "CFBundleDisplayName": "Notes", "CFBundlePackageType": "APPL",
        "CFBundleURLTypes": [["CFBundleURLSchemes": ["notes", "Notes2"]], ["CFBundleURLName": "x"]] as [[String: any Sendable]],
        "UIApplicationShortcutItems": [
            [
                "UIApplicationShortcutItemType": "t", "UIApplicationShortcutItemTitle": "KEY", "UIApplicationShortcutItemSubtitle": "S",
                "UIApplicationShortcutItemIconType": "UIApplicationShortcutIconTypeSearch",
                "UIApplicationShortcutItemIconFile": "F", "UIApplicationShortcutItemIconSymbolName": "y",
                "UIApplicationShortcutItemUserInfo": ["s": "x", "d": Date(timeIntervalSince1970: 1_769_850_000), "x": Data([1, 2])]
                    as [String: any Sendable],
            ] as [String: any Sendable],
            ["UIApplicationShortcutItemType": "u", "UIApplicationShortcutItemTitle": "T"],
        ] as [[String: any Sendable]],
    ]

    static func bytes(
        _ changes: [String: any Sendable] = [:], without absent: String? = nil, format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws -> [UInt8] {
        var plist = Self.plist
        for (key, value) in changes { plist[key] = value }
        if let absent { plist[absent] = nil }
        return Array(try PropertyListSerialization.data(fromPropertyList: plist, format: format, options: 0))
    }

    static func imported(_ bytes: [UInt8], as id: String = "2.1.0") throws -> Release {
        try InfoPlist(bytes).release(try build(id), of: try #require(AppID("com.example.notes")))
    }

    @Test(arguments: [
        ([:], "2.1.0+512"), (["CFBundleVersion": "7.0"], "2.1.0+7"),
        (
            ["CFBundleShortVersionString": "2.x", "CFBundleVersion": "x"],
            "CFBundleShortVersionString: invalid-version CFBundleVersion: invalid-version"
        ),
    ])
    func `says which release it is`(changes: [String: String], said: String) throws {
        let plist = try InfoPlist(try Self.bytes(changes))
        let refused = failure { try plist.id() }?.found.joined(separator: " ")
        #expect(try refused ?? plist.id().description == said)
        let unnamed = try InfoPlist(try Self.bytes(changes, without: "CFBundleShortVersionString"))
        #expect(failure { try unnamed.id() }?.found.first == "CFBundleShortVersionString: required")
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `reads a built app's plist`(format: PropertyListSerialization.PropertyListFormat) throws {
        let release = try Self.imported(try Self.bytes(format: format))
        #expect(
            release.json.text
                == #"{"version":"2.1.0","build":"512","staticItems":[{"type":"t","title":"KEY","subtitle":"S","icon":{"symbol":"y","file":"F","type":"search"},"userInfo":{"d":{"$date":"2026-01-31T09:00:00Z"},"s":"x","x":{"$data":"AQI="}}},{"type":"u","title":"T"}],"urlSchemes":["notes","Notes2"],"assets":null,"minimumOSVersion":"15.0","displayName":"Notes"}"#
        )
        #expect(try Release(stored: release.canonicalJSON) == release)
    }

    @Test func `an absent build is the release without a build`() throws {
        #expect(try Self.imported(try Self.bytes(without: "CFBundleVersion")).id.description == "2.1.0")
    }

    @Test(
        arguments: [
            ("2.1.0", ["NSExtension": ["a": 1]], ["NSExtension: not-an-app"]),
            ("2.1.0", ["CFBundlePackageType": "FMWK"], ["CFBundlePackageType: not-an-app"]),
            ("2.1.0", ["CFBundleIdentifier": "com.other"], ["CFBundleIdentifier: bundle-mismatch"]),
            ("2.2.0", [:], ["CFBundleShortVersionString: version-mismatch"]),
            ("2.1.0+513", [:], ["CFBundleVersion: version-mismatch"]), ("2.1.0+512.0", [:], []),
            ("2.1.0", ["CFBundleShortVersionString": "2.1-b"], ["CFBundleShortVersionString: invalid-version"]),
            (
                "2.1.0", ["CFBundleShortVersionString": "$(MARKETING_VERSION)", "CFBundleVersion": "${B}"],
                ["CFBundleShortVersionString: build-setting", "CFBundleVersion: build-setting"]
            ),
            ("2.1.0+512", ["CFBundleVersion": "$(CURRENT_PROJECT_VERSION)"], ["CFBundleVersion: build-setting"]),
            ("2.1.0", ["CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)"], ["CFBundleIdentifier: build-setting"]),
            ("2.1.0", ["CFBundleVersion": 512], ["CFBundleVersion: type-mismatch"]),
            ("2.1.0", ["CFBundleURLTypes": "x"], ["CFBundleURLTypes: type-mismatch"]),
            ("2.1.0", ["CFBundleURLTypes": [1]], ["CFBundleURLTypes[0]: type-mismatch"]),
            ("2.1.0", ["UIApplicationShortcutItems": ["x": 1]], ["UIApplicationShortcutItems: type-mismatch"]),
            (
                "2.1.0", ["UIApplicationShortcutItems": [["a": 1], 1] as [any Sendable]],
                [
                    "UIApplicationShortcutItems[0].UIApplicationShortcutItemType: required",
                    "UIApplicationShortcutItems[0].UIApplicationShortcutItemTitle: required",
                    "UIApplicationShortcutItems[1]: type-mismatch",
                ]
            ),
            (
                "3.0", ["CFBundleIdentifier": "x", "NSExtension": [:] as [String: any Sendable]],
                ["NSExtension: not-an-app", "CFBundleIdentifier: bundle-mismatch", "CFBundleShortVersionString: version-mismatch"]
            ),
        ] as [(String, [String: any Sendable], [String])])
    func `the path of a violation is the key of the plist`(id: String, changes: [String: any Sendable], expected: [String]) throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let bytes = try Self.bytes(changes, format: format)
            #expect((failure { try Self.imported(bytes, as: id) }?.found ?? []) == expected)
        }
    }

    @Test(arguments: [
        "<true/>|true", "<integer>1</integer>|1", "<integer>0</integer>|0", "<real>1.0</real>|1.0", "<real>1</real>|1.0",
        "<integer>-5</integer>|-5", "<false/>|false", "<integer>9223372036854775807</integer>|9223372036854775807",
        "<string></string>|\"\"",
    ])
    func `keeps booleans, integers and reals apart in XML`(words: String) throws {
        let parts = words.split(separator: "|").map(String.init)
        guard case .dictionary(let root) = try PropertyList.read(Array("<plist><dict><key>a</key>\(parts[0])</dict></plist>".utf8)) else {
            return #expect(Bool(false))
        }
        #expect(root["a"]?.json.text == parts[1])
    }

    /// The tests must not depend on ICU's data, which the release build does not have (docs/decisions/0013-icu.md).
    @Test func `the tests run without ICU's data`() {
        #expect(TimeZone(identifier: "Europe/Berlin") == nil)
    }

    @Test(
        arguments: [
            ("UTF-8", [0xC3, 0xA9], "é"), ("utf-8", [0xE6, 0x97, 0xA5], "日"), ("US-ASCII", [0x61], "a"), ("ISO-8859-1", [0xE9], "é"),
            ("Shift_JIS", [0x93, 0xFA], nil), ("ISO-2022-JP", [0x61], nil), ("GB18030", [0x61], nil), ("Big5", [0xA4, 0xA4], nil),
            ("EUC-KR", [0xB0, 0xA1], nil), ("KOI8-R", [0xC9], nil), ("ISO-8859-2", [0xF5], nil), ("UTF-7", [0x61], nil),
            ("IBM037", [0x61], nil),
            ("UTF-8", [0xE9], nil), ("x-unknown", [0x61], nil),
        ] as [(String, [UInt8], String?)])
    func `XML in another encoding than UTF-8 may be refused`(_ encoding: String, _ bytes: [UInt8], _ text: String?) throws {
        let head = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><plist><dict><key>a</key><string>"
        let file = Array(head.utf8) + bytes + Array("</string></dict></plist>".utf8)
        guard let text else {
            return #expect(failure { _ = try PropertyList.read(file) }?.detail.contains("UTF-8") == true)
        }
        guard case .dictionary(let root) = try PropertyList.read(file) else { return #expect(Bool(false)) }
        #expect(root["a"] == .string(Text(text)))
    }

    @Test(arguments: ["9223372036854775808", "18446744073709551615", "-9223372036854775809"])
    func `an integer beyond Int64 is never wrapped`(integer: String) throws {
        let found = try? PropertyList.read(Array("<plist><dict><key>a</key><integer>\(integer)</integer></dict></plist>".utf8))
        guard case .dictionary(let root)? = found else { return }
        #expect(root["a"]?.json.text == integer)
    }

    @Test func `refuses a key that looks like a marker`() throws {
        let item: [String: any Sendable] = [
            "UIApplicationShortcutItemType": "t", "UIApplicationShortcutItemTitle": "T",
            "UIApplicationShortcutItemUserInfo": ["a": ["$date": "2026-01-31T09:00:00Z"]] as [String: any Sendable],
        ]
        let bytes = try Self.bytes(["UIApplicationShortcutItems": [item] as [any Sendable]])
        #expect(failure { try Self.imported(bytes) } != nil)
    }
}
