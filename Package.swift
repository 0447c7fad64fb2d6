// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error)
]

// The service runs on Linux. Elsewhere the command is what speaks to one: without `Sources/longpress/Server` and all that it needs.
#if os(Linux)
    let serving: [Target.Dependency] = ["Service", "Shortcuts", "Storage"]
    let absent: [String] = []
    // Requests use libcurl, so that a service does not contain FoundationNetworking.
    let unused = ["Connection/SessionTransport.swift"]
    let (threads, requests): ([Target.Dependency], [Target.Dependency]) = (["CLinux"], ["CCurl"])
    let unusedPlatform: [String] = []
    let commandSettings = settings + [.define("SERVER")]
#else
    let serving: [Target.Dependency] = []
    let absent = ["Server"]
    let unused = ["Connection/CurlTransport.swift"]
    let (threads, requests): ([Target.Dependency], [Target.Dependency]) = ([], [])
    let unusedPlatform = ["Threads"]
    let commandSettings = settings
#endif

let package = Package(
    name: "longpress",
    // Of the libraries; the service itself runs on Linux.
    platforms: [.iOS(.v16), .macOS(.v13), .watchOS(.v9), .tvOS(.v16)],
    products: [
        .library(name: "LongpressKit", targets: ["LongpressKit"]),
        .library(name: "LongpressWebhooks", targets: ["LongpressWebhooks"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        .target(name: "QuickActions", swiftSettings: settings),
        .target(
            name: "LongpressKit", dependencies: ["QuickActions"], resources: [.copy("PrivacyInfo.xcprivacy")],
            // The accessor of resources, which SwiftPM writes, imports Foundation without saying for whom.
            swiftSettings: settings + [.enableUpcomingFeature("InternalImportsByDefault")]),
        .target(name: "LongpressWebhooks", dependencies: ["QuickActions"], swiftSettings: settings),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CEmptyICU"),
        .target(
            name: "Shortcuts",
            // Linked, not imported: the program and the tests do without ICU's data.
            dependencies: ["QuickActions", "CCrypto", .target(name: "CEmptyICU", condition: .when(platforms: [.linux]))],
            swiftSettings: settings),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "HTTP", dependencies: ["QuickActions", "CZlib"], swiftSettings: settings),
        .systemLibrary(name: "CLinux"),
        .target(name: "Platform", dependencies: threads, exclude: unusedPlatform, swiftSettings: settings),
        .target(name: "HTTPServer", dependencies: ["HTTP", "Platform", "CLinux"], swiftSettings: settings),
        .target(name: "Storage", dependencies: ["QuickActions", "Shortcuts"], swiftSettings: settings),
        .target(
            name: "StorageSQLite",
            dependencies: [
                "QuickActions", "Shortcuts", "Storage", "Platform", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            resources: [.embedInCode("Migrations")], swiftSettings: settings),
        .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "StoragePostgres", dependencies: ["QuickActions", "Shortcuts", "Storage", "Platform", "CPQ"],
            resources: [.embedInCode("Migrations")], swiftSettings: settings),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "Webhooks",
            dependencies: ["QuickActions", "Shortcuts", "Platform", "CCurl", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),
        // Not .embedInCode: see scripts/embed-files.
        .plugin(name: "EmbedFiles", capability: .buildTool()),
        .target(
            name: "API", dependencies: ["QuickActions", "Shortcuts", "HTTP"],
            exclude: ["Console/Files", "Console/Types", "Console/jsconfig.json", "Console/package.json"], swiftSettings: settings,
            plugins: ["EmbedFiles"]),
        .target(
            name: "Service",
            dependencies: [
                "QuickActions", "Shortcuts", "HTTP", "HTTPServer", "Platform", "Storage", "StorageSQLite", "StoragePostgres", "Webhooks",
                "API",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Files"], swiftSettings: settings, plugins: ["EmbedFiles"]),
        .target(name: "Remote", dependencies: ["QuickActions"] + requests, exclude: unused, swiftSettings: settings),
        .executableTarget(
            name: "longpress",
            dependencies: serving + [
                "QuickActions", "Remote", "Platform", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: absent, swiftSettings: commandSettings),
        .testTarget(name: "QuickActionsTests", dependencies: ["QuickActions"], swiftSettings: settings),
        .testTarget(name: "LongpressKitTests", dependencies: ["LongpressKit", "QuickActions", "Shortcuts"], swiftSettings: settings),
        .testTarget(name: "LongpressWebhooksTests", dependencies: ["LongpressWebhooks", "Shortcuts"], swiftSettings: settings),
        .testTarget(name: "ShortcutsTests", dependencies: ["QuickActions", "Shortcuts"], swiftSettings: settings),
        .target(name: "TestPostgres", dependencies: ["StoragePostgres"], path: "Tests/TestPostgres", swiftSettings: settings),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Storage", "StorageSQLite", "StoragePostgres", "TestPostgres", "QuickActions", "Shortcuts",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "Webhooks", "Storage", "StorageSQLite", "StoragePostgres", "TestPostgres", "QuickActions", "Shortcuts",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Service", "HTTP", "HTTPServer", "QuickActions", "Shortcuts", "Platform", .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "APITests", dependencies: ["API", "HTTP", "QuickActions", "Shortcuts", "Storage", "StorageSQLite", "Webhooks"],
            swiftSettings: settings),
        .testTarget(name: "RemoteTests", dependencies: ["Remote", "QuickActions"], swiftSettings: settings),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP"], swiftSettings: settings),
        .testTarget(name: "PlatformTests", dependencies: ["Platform", "QuickActions"], swiftSettings: settings),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTP", "Platform", "QuickActions", "CLinux"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
