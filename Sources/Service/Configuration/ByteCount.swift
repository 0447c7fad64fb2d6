import QuickActions

/// An amount of memory, written as a whole number with KiB, MiB or GiB.
package struct ByteCount: Equatable, Sendable {
    package let bytes: Int

    static let rule = "an amount of memory: a whole number with KiB, MiB or GiB, such as 64MiB"
    private static let units = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]

    init(_ bytes: Int) {
        self.bytes = bytes
    }

    init?(text: String) {
        guard let unit = Self.units.first(where: { text.hasSuffix($0.key) }) else { return nil }
        let digits = text.dropLast(unit.key.count)
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit),
            let number = Int(digits)
        else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit.value)
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }
}
