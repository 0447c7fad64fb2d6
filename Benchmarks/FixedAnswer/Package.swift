// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that Longpress does not depend on what it is measured beside.
let package = Package(
    name: "fixed-answer",
    platforms: [.macOS(.v14)],
    dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1")],
    targets: [
        .executableTarget(name: "fixed-answer", dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
    ],
    swiftLanguageModes: [.v6]
)
