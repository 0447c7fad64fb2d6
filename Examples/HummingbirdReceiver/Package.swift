// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HummingbirdReceiver",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "longpress", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "HummingbirdReceiver",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "LongpressWebhooks", package: "longpress"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
