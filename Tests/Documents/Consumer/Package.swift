// swift-tools-version: 6.2
import PackageDescription

// The consumer in Swift of docs/webhooks.md, whose text a test puts into Sources/Consumer. A package of its own, so that Longpress
// does not depend on swift-crypto.
let package = Package(
    name: "Consumer",
    dependencies: [.package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")],
    targets: [.executableTarget(name: "Consumer", dependencies: [.product(name: "Crypto", package: "swift-crypto")])],
    swiftLanguageModes: [.v6]
)
