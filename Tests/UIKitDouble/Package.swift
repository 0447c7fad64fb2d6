// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error)
]

// LongpressKit's sources beside modules that are named UIKit and SwiftUI, so that all of it is compiled and run on Linux.
let package = Package(
    name: "uikit-double",
    targets: [
        .target(name: "UIKit", swiftSettings: settings),
        .target(name: "SwiftUI", dependencies: ["UIKit"], swiftSettings: settings),
        .target(name: "QuickActions", swiftSettings: settings),
        .target(
            name: "LongpressKit", dependencies: ["QuickActions", "UIKit", "SwiftUI"],
            resources: [.copy("PrivacyInfo.xcprivacy")],
            swiftSettings: settings + [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(name: "Mail", dependencies: ["LongpressKit", "SwiftUI"], swiftSettings: settings),
        .executableTarget(name: "SceneDelegateApp", dependencies: ["LongpressKit", "UIKit"], swiftSettings: settings),
        .executableTarget(name: "AppDelegateApp", dependencies: ["LongpressKit", "UIKit"], swiftSettings: settings),
        .testTarget(
            name: "UIKitTests", dependencies: ["LongpressKit", "UIKit", "SwiftUI"],
            // Apple's UIKit has an overlay for Testing.
            swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
    ],
    swiftLanguageModes: [.v6]
)
