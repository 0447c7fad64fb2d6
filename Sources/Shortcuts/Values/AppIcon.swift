import QuickActions

/// An app's icon, which the console shows.
package struct AppIcon: Sendable {
    package static let maxBytes = 128 << 10
    /// The largest width and height, in pixels.
    private static let maxSide: UInt32 = 1024

    package let png: [UInt8]

    /// - Throws: `contentTooLarge`; `invalidDocument` if the bytes do not begin like a square PNG of 1 to 1,024 pixels.
    package init(_ png: [UInt8]) throws(Failure) {
        guard png.count <= Self.maxBytes else {
            throw Failure(.contentTooLarge, "The icon has \(png.count) bytes. Use at most \(Self.maxBytes).")
        }
        // The signature and the header of PNG (RFC 2083 sections 3.1 and 4.1.1): length, type, width, height.
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        guard png.starts(with: start), png.count >= start.count + 8 else {
            throw .invalidIcon("The body is not a PNG. Send the icon as a PNG of at most \(Self.maxBytes) bytes.")
        }
        func number(at index: Int) -> UInt32 { png[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let (width, height) = (number(at: start.count), number(at: start.count + 4))
        guard width == height, 1...Self.maxSide ~= width else {
            throw .invalidIcon("The icon has \(width) × \(height) pixels. Use a square of at most \(Self.maxSide) pixels.")
        }
        self.png = png
    }

    /// The opaque part of its entity tag (RFC 9110 section 8.8.3).
    package var tag: String { entityHash(of: png) }
}

extension Failure {
    fileprivate static func invalidIcon(_ message: String) -> Failure {
        .invalidDocument([Violation(path: "", code: "icon-invalid", message: message)])
    }
}
