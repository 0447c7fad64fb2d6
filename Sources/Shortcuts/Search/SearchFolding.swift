import Foundation
import QuickActions

/// Folds texts so that texts which look alike become equal: compatibility decomposition (NFKD) without accents, and case folding that maps
/// ß to ss. Each character is folded separately and cached, which is several times faster than folding whole texts.
final class SearchFolding {
    private var known: [Unicode.Scalar: [UInt8]] = [:]

    func folded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value).asciiLowercased)
            } else {
                bytes += folded(scalar)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
        if let folded = known[scalar] { return folded }
        var plain = String.UnicodeScalarView()
        for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars where !(0x300...0x36F).contains(part.value) {
            plain.append(part)
        }
        let folded = Array(String(plain).lowercased().uppercased().lowercased().utf8)
        known[scalar] = folded
        return folded
    }
}
