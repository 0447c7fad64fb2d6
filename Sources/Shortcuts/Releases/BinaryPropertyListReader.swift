import QuickActions

/// Reads a binary property list (`bplist00`; CFBinaryPList.c of CoreFoundation) with limits on values, bytes and depth.
///
/// Foundation is not used because its reader has no limits: an object may be referenced many times, so a small hostile file can expand
/// until memory runs out.
struct BinaryPropertyListReader {
    enum ParseError: Error {
        case malformed, tooLarge
    }

    static let maxValues = 100_000
    /// Bytes of strings and data, counted per reference.
    static let maxBytes = 16 << 20
    static let maxDepth = 64

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    private var values = 0
    private var expandedBytes = 0

    static func read(_ bytes: [UInt8]) throws(ParseError) -> PropertyList {
        let trailer = bytes.count - 32
        guard trailer >= 8, bytes.starts(with: "bplist0".utf8) else { throw .malformed }
        let offsetSize = Int(bytes[trailer + 6])
        let referenceSize = Int(bytes[trailer + 7])
        let count = try integer(bytes, at: trailer + 8, size: 8)
        let root = try integer(bytes, at: trailer + 16, size: 8)
        let table = try integer(bytes, at: trailer + 24, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0, root < count, table >= 8,
            table <= trailer, count <= (trailer - table) / offsetSize
        else { throw .malformed }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            offsets.append(try integer(bytes, at: table + index * offsetSize, size: offsetSize))
        }
        var reader = Self(bytes: Array(bytes[..<table]), offsets: offsets, referenceSize: referenceSize)
        return try reader.value(root, depth: 1)
    }

    private init(bytes: [UInt8], offsets: [Int], referenceSize: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.referenceSize = referenceSize
    }

    private mutating func value(_ reference: Int, depth: Int) throws(ParseError) -> PropertyList {
        values += 1
        guard values <= Self.maxValues, depth <= Self.maxDepth else { throw .tooLarge }
        guard reference < offsets.count, offsets[reference] < bytes.count else { throw .malformed }
        let offset = offsets[reference]
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0F))
        switch (kind, low) {
        case (0x0, 0x8): return .boolean(false)
        case (0x0, 0x9): return .boolean(true)
        case (0x1, 0...3): return .integer(try signedInteger(at: offset + 1, size: 1 << low))
        case (0x2, 2): return try finite(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try unsigned(at: offset + 1, size: 4)))))
        case (0x2, 3): return try finite(Double(bitPattern: try unsigned(at: offset + 1, size: 8)))
        case (0x3, 3): return .date(try date(at: offset + 1))
        case (0x4, _): return .data(Array(try slice(offset, low, unit: 1)))
        case (0x5, _): return .string(Text(String(decoding: try slice(offset, low, unit: 1), as: UTF8.self)))
        case (0x6, _): return .string(Text(utf16(try slice(offset, low, unit: 2))))
        case (0xA, _):
            let references = try references(offset, low, perElement: 1)
            var elements: [PropertyList] = []
            for reference in references { elements.append(try value(reference, depth: depth + 1)) }
            return .array(elements)
        case (0xD, _):
            let references = try references(offset, low, perElement: 2)
            var members: [(key: Text, value: PropertyList)] = []
            for index in 0..<(references.count / 2) {
                guard case .string(let key) = try value(references[index], depth: depth + 1) else { throw .malformed }
                members.append((key, try value(references[index + references.count / 2], depth: depth + 1)))
            }
            return .dictionary(.init(members))
        default: throw .malformed
        }
    }
}

extension BinaryPropertyListReader {
    /// The bytes of an object with a count; a count of 15 means that an integer object with the real count follows.
    private mutating func slice(_ offset: Int, _ low: Int, unit: Int) throws(ParseError) -> ArraySlice<UInt8> {
        var start = offset + 1
        var count = low
        if low == 0x0F {
            guard start < bytes.count, bytes[start] >> 4 == 0x1, bytes[start] & 0x0F <= 3 else { throw .malformed }
            let size = 1 << Int(bytes[start] & 0x0F)
            count = try Self.integer(bytes, at: start + 1, size: size)
            start += 1 + size
        }
        guard start <= bytes.count, count <= (bytes.count - start) / unit else { throw .malformed }
        expandedBytes += count * unit
        guard expandedBytes <= Self.maxBytes else { throw .tooLarge }
        return bytes[start..<(start + count * unit)]
    }

    private mutating func references(_ offset: Int, _ low: Int, perElement: Int) throws(ParseError) -> [Int] {
        let slice = try slice(offset, low, unit: referenceSize * perElement)
        let packed = Array(slice)
        var references: [Int] = []
        for start in stride(from: 0, to: packed.count, by: referenceSize) {
            references.append(try Self.integer(packed, at: start, size: referenceSize))
        }
        return references
    }

    /// Integers of eight bytes are signed, shorter ones are unsigned.
    private func signedInteger(at offset: Int, size: Int) throws(ParseError) -> Int64 {
        Int64(bitPattern: try unsigned(at: offset, size: size))
    }

    private func unsigned(at offset: Int, size: Int) throws(ParseError) -> UInt64 {
        guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { throw .malformed }
        return bytes[offset..<(offset + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func finite(_ value: Double) throws(ParseError) -> PropertyList {
        guard value.isFinite else { throw .malformed }
        return .real(value)
    }

    /// Reads seconds since 2001-01-01T00:00:00Z; returns seconds since 1970.
    private func date(at offset: Int) throws(ParseError) -> Int64 {
        let seconds = Double(bitPattern: try unsigned(at: offset, size: 8)).rounded()
        guard seconds.isFinite, seconds.magnitude < 1e12 else { throw .malformed }
        return Int64(seconds) + 978_307_200
    }

    private func utf16(_ bytes: ArraySlice<UInt8>) -> String {
        let packed = Array(bytes)
        let units = stride(from: 0, to: packed.count, by: 2).map { UInt16(packed[$0]) << 8 | UInt16(packed[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    private static func integer(_ bytes: [UInt8], at offset: Int, size: Int) throws(ParseError) -> Int {
        guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { throw .malformed }
        let value = bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let integer = Int(exactly: value) else { throw .malformed }
        return integer
    }
}
