import Foundation
import QuickActions
import Testing

@testable import Shortcuts

/// A binary property list of these objects; the first one is the root.
func binaryPlist(_ objects: [[UInt8]], referenceSize: UInt8 = 2, root: Int = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
        offsets.append(bytes.count)
        bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += bigEndian(offset, 4) }
    return bytes + [0, 0, 0, 0, 0, 0, 4, referenceSize] + bigEndian(objects.count, 8) + bigEndian(root, 8) + bigEndian(table, 8)
}

func bigEndian(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

func binaryArray(_ references: [Int]) -> [UInt8] {
    let head: [UInt8] = references.count < 15 ? [0xA0 | UInt8(references.count)] : [0xAF, 0x12] + bigEndian(references.count, 4)
    return head + references.flatMap { bigEndian($0, 2) }
}

@Suite struct HostilePlistTests {
    private func code(_ bytes: [UInt8]) -> Failure.Code? { failure { try InfoPlist(bytes) }?.code }

    @Test func `refuses every truncation`() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let whole = try InfoPlistTests.bytes(format: format)
            let ends = format == .binary ? Array(0..<whole.count) : Array(stride(from: 0, to: whole.count - 9, by: 7))
            for end in ends { #expect(failure { try InfoPlistTests.imported(Array(whole[..<end])) } != nil) }
        }
    }

    @Test func `survives every flipped byte of a binary one`() throws {
        let whole = try InfoPlistTests.bytes(format: .binary)
        for index in whole.indices {
            for value in [0, 1, 0x0F, 0x14, 0x33, 0x5F, 0x6F, 0x7F, 0x80, 0xA1, 0xAF, 0xD1, 0xDF, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[index] = value
                _ = failure { try InfoPlistTests.imported(bytes) }
            }
        }
    }

    @Test(
        arguments: [
            [], [0], Array("bplist00".utf8), Array("bplist00".utf8) + [UInt8](repeating: 0xFF, count: 64),
            Array("bplist00".utf8) + [UInt8](repeating: 0, count: 64), Array("hello".utf8), Array("{ a = b; }".utf8), Array("<".utf8),
            Array("<html/>".utf8), Array("<plist/>".utf8),
        ] as [[UInt8]])
    func `refuses what is not a property list`(bytes: [UInt8]) {
        #expect(failure { try InfoPlist(bytes) } != nil)
    }

    @Test func `refuses an array that contains itself`() {
        #expect(code(binaryPlist([binaryArray([0])])) == .badRequest)
        #expect(code(binaryPlist([binaryArray([1, 1]), binaryArray([0, 0])])) == .badRequest)
        #expect(code(binaryPlist([[0xD1, 0, 1, 0, 0], [0x51, 0x61]])) == .badRequest)
    }

    @Test func `limits the expansion of shared references`() {
        let levels = (0..<30).map { binaryArray(Array(repeating: $0 + 1, count: 10)) }
        #expect(code(binaryPlist(levels + [[0x09]])) == .badRequest)
    }

    @Test(arguments: [0x4F, 0x5F, 0x6F] as [UInt8]) func `one large value shared often is refused`(kind: UInt8) {
        let size = 60_000
        let large = [kind, 0x12] + bigEndian(kind == 0x6F ? size / 2 : size, 4) + [UInt8](repeating: 0x41, count: size)
        #expect(code(binaryPlist([binaryArray(Array(repeating: 1, count: 2_000)), large])) == .badRequest)
    }

    // Nested arrays. A readable one is then rejected because it is not a dictionary.
    @Test(arguments: [(63, .invalidDocument), (64, .badRequest), (20_000, .badRequest)] as [(Int, Failure.Code)])
    func `nests 64 deep and no deeper`(arrays: Int, expected: Failure.Code) {
        #expect(code(binaryPlist((0..<arrays).map { binaryArray([$0 + 1]) } + [[0x09]])) == expected)
    }

    @Test(arguments: [1e13, -1e13, .infinity, .nan, 1e308, -62_135_596_801 - 978_307_200] as [Double])
    func `refuses odd dates`(seconds: Double) throws {
        let keys = ["a"].map { [0x50 | UInt8($0.utf8.count)] + Array($0.utf8) }
        let date = [0x33] + bigEndian(Int(bitPattern: UInt(seconds.bitPattern)), 8)
        let list = try? PropertyList.read(binaryPlist([[0xD1, 0, 1, 0, 2]] + keys + [date]))
        if case .dictionary(let root)? = list { _ = root.json.text }
    }

    @Test func `many schemes take time in proportion`() throws {
        let schemes = (0..<50_000).map { "s\($0)" }
        let bytes = try InfoPlistTests.bytes(["CFBundleURLTypes": [["CFBundleURLSchemes": schemes]]], format: .binary)
        #expect(processorTime { _ = failure { try InfoPlistTests.imported(bytes) } } < .seconds(30))
    }
}
