import Foundation
import Testing

@testable import Shortcuts

@Suite struct StaticPropertyListTests {
    /// The Info.plist of a build with the fragment: the same file with the keys that identify the bundle.
    private func imported(_ release: Release) throws -> Release {
        let fragment = try PropertyListSerialization.propertyList(from: Data(release.staticPropertyList), format: nil)
        var plist = try #require(fragment as? [String: Any])
        #expect(plist.keys.sorted() == ["UIApplicationShortcutItems"])
        plist["CFBundleIdentifier"] = "com.example.notes"
        plist["CFBundleShortVersionString"] = release.id.version.description
        plist["CFBundleVersion"] = release.id.build?.description
        return try InfoPlistTests.imported(Array(try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)))
    }

    @Test(
        arguments: [
            "[]", #"[{"type":"t","title":"T"}]"#,
            #"[{"type":"t","title":"KEY","subtitle":"S","icon":{"symbol":"y","file":"F","type":"taskCompleted"}},{"type":"t","title":"KEY"}]"#,
            #"[{"type":"<&>\"'","title":" ]]> \"quoted\"\t\r\n","subtitle":"😀 e\u0301"}]"#,
            #"[{"type":"t","title":"T","userInfo":{"s":"","i":-9223372036854775808,"r":1.0,"n":1e16,"t":true,"f":false,"d":{"$date":"2026-01-31T09:00:00Z"},"x":{"$data":"AQI="},"l":[1,[2.5]],"m":{"k<":{}}}}]"#,
        ])
    func `round-trips through Info.plist`(items: String) throws {
        let release = try release("2.1.0+512", #"{"staticItems":\#(items)}"#)
        #expect(try imported(release).staticItems == release.staticItems)
    }

    @Test(arguments: SystemIconType.allCases)
    func `icon types have their names in Info.plist`(type: SystemIconType) throws {
        let release = try release("2.1", #"{"staticItems":[{"type":"t","title":"T","icon":{"type":"\#(type.name)"}}]}"#)
        #expect(text(release.staticPropertyList).contains("<string>\(type.infoPlistName)</string>"))
        #expect(try imported(release).staticItems == release.staticItems)
    }

    @Test func `is the fragment that a project pastes`() throws {
        let release = try release("2.1", #"{"staticItems":[{"type":"t","title":"KEY","icon":{"type":"search"}}],"urlSchemes":["notes"]}"#)
        #expect(
            text(release.staticPropertyList) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>UIApplicationShortcutItems</key>
                \t<array>
                \t\t<dict>
                \t\t\t<key>UIApplicationShortcutItemType</key>
                \t\t\t<string>t</string>
                \t\t\t<key>UIApplicationShortcutItemTitle</key>
                \t\t\t<string>KEY</string>
                \t\t\t<key>UIApplicationShortcutItemIconType</key>
                \t\t\t<string>UIApplicationShortcutIconTypeSearch</string>
                \t\t</dict>
                \t</array>
                </dict>
                </plist>

                """)
    }
}
