// Runs the Swift code of docs/ios.md that does not use the package. Its arguments are the base URL, the app, the version and a file of
// taps. It prints a line of JSON for each step.
import UIKit

@main
@MainActor
struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let actions = QuickActions(
            base: URL(string: arguments[1]) ?? URL(fileURLWithPath: "/"), app: arguments[2], version: arguments[3],
            staticTypes: ["static"])
        let (same, other) = (["3.0", "3.0.0", "3", "03.0.0+12"], ["3.0.1", "2.9", "3.x"])
        show(["same": same.map(actions.isThisVersion), "other": other.map(actions.isThisVersion)])

        try await actions.refresh()
        let registered = UIApplication.shared.shortcutItems ?? []
        show(["registered": registered.map(description)])

        for line in try String(contentsOfFile: arguments[4], encoding: .utf8).split(separator: "\n") {
            let tap = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            let shortcut = UIApplicationShortcutItem(
                type: tap["type"] as? String ?? "", localizedTitle: "", localizedSubtitle: nil, icon: nil,
                userInfo: (tap["userInfo"] as? [String: Any]).map(Marked.values))
            show(description(await actions.landing(of: shortcut)))
        }
    }

    private static func description(_ item: UIApplicationShortcutItem) -> [String: Any] {
        let types = (item.userInfo ?? [:]).mapValues { $0 is Date ? "date" : $0 is Data ? "data" : "other" }
        return [
            "type": item.type, "icon": item.icon?.source ?? "", "target": item.targetContentIdentifier as? String ?? "",
            "title": item.localizedTitle, "kinds": types,
        ]
    }

    private static func description(_ landing: Landing) -> [String: Any] {
        let types = (landing.userInfo ?? [:]).mapValues { $0 is Date ? "date" : $0 is Data ? "data" : "other" }
        return [
            "outcome": landing.outcome, "item": landing.item ?? "", "itemURL": landing.itemURL?.absoluteString ?? "",
            "url": landing.url?.absoluteString ?? "", "kinds": types,
        ]
    }

    private static func show(_ line: [String: Any]) {
        guard let bytes = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys) else { return }
        print(String(decoding: bytes, as: UTF8.self))
    }
}
