// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error)
]

// LongpressClient's sources beside modules that are named UIKit and SwiftUI, so that all of it is compiled and run on Linux.
let package = Package(
    name: "uikit-double",
    targets: [
        .target(name: "UIKit", swiftSettings: settings),
        .target(name: "SwiftUI", dependencies: ["UIKit"], swiftSettings: settings),
        .target(name: "QuickActions", swiftSettings: settings),
        .target(
            name: "LongpressClient", dependencies: ["QuickActions", "UIKit", "SwiftUI"],
            resources: [.copy("PrivacyInfo.xcprivacy")],
            swiftSettings: settings + [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(name: "Mail", dependencies: ["LongpressClient", "SwiftUI"], swiftSettings: settings),
        .executableTarget(name: "SceneDelegateApp", dependencies: ["LongpressClient", "UIKit"], swiftSettings: settings),
        .executableTarget(name: "AppDelegateApp", dependencies: ["LongpressClient", "UIKit"], swiftSettings: settings),
        .testTarget(
            name: "UIKitTests", dependencies: ["LongpressClient", "UIKit", "SwiftUI"],
            // Apple's UIKit has an overlay for Testing.
            swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
    ],
    swiftLanguageModes: [.v6]
)
