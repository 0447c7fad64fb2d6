/// A CIDR block such as `10.0.0.0/8`. A plain address is a block of one address.
package struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
    private let base: IPAddress
    private let length: Int

    /// Host bits must be zero: `10.1.2.3/8` is more likely a typing error than a request for all of 10/8.
    package init(parsing text: String) throws(TextError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, let address = IPAddress(first) else { throw Self.refusal(text) }
        let isMapped = address.family == .v4 && first.contains(":")
        let width = address.family == .v4 ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let written = Self.number(parts[1]) else { throw Self.refusal(text) }
            length = isMapped ? written - 96 : written
        }
        guard (0...width).contains(length) else { throw Self.refusal(text) }
        base = address
        self.length = length
        guard Self.bits(of: base) & ~Self.mask(length, of: width) == 0 else {
            throw TextError(
                "\(quoted(text)) has bits set after its prefix. Write the first address of the block, or /\(width) for one address.")
        }
    }

    /// Blocks separated by white space. It skips invalid blocks: it is for tables in the source, which a test checks.
    package static func list(_ lines: String) -> [AddressBlock] {
        lines.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap { try? AddressBlock(parsing: String($0)) }
    }

    /// Parses a setting: blocks separated by commas. An empty text has no blocks.
    package static func blocks(parsing text: String) throws(TextError) -> [AddressBlock] {
        guard !text.trimmingBlanks.isEmpty else { return [] }
        var blocks: [AddressBlock] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            blocks.append(try AddressBlock(parsing: String(String(entry).trimmingBlanks)))
        }
        return blocks
    }

    package func contains(_ address: IPAddress) -> Bool {
        let width = base.family == .v4 ? 32 : 128
        return address.family == base.family && Self.bits(of: address) & Self.mask(length, of: width) == Self.bits(of: base)
    }

    package var description: String { "\(base)/\(length)" }

    private static func bits(of address: IPAddress) -> UInt128 {
        UInt128(address.high) << 64 | UInt128(address.low)
    }

    private static func mask(_ length: Int, of width: Int) -> UInt128 {
        let all = UInt128.max >> UInt128(128 - width)
        return length == 0 ? 0 : all & ~(all >> UInt128(length))
    }

    private static func number(_ text: String) -> Int? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }

    private static func refusal(_ text: String) -> TextError {
        TextError("\(quoted(text)) is not an address block. Use a form such as 10.0.0.0/8, 127.0.0.1/32 or fd00::/8.")
    }
}
