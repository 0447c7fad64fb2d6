// swift-tools-version: 6.2
import PackageDescription

// The Swift consumer of docs/webhooks.md. A test writes its text into Sources/Consumer.
let package = Package(
    name: "Consumer",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "longpress", path: "../..")],
    targets: [.executableTarget(name: "Consumer", dependencies: [.product(name: "LongpressWebhooks", package: "longpress")])],
    swiftLanguageModes: [.v6]
)
