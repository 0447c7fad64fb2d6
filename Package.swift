// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "longpress",
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "Shortcuts", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
    ],
    swiftLanguageModes: [.v6]
)
