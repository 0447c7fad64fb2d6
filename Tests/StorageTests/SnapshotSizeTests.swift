import Foundation
import Glibc
import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Compares the snapshot budget's estimate with the allocator's numbers. Other tests run at the same time, so tens of megabytes are
/// measured.
@Suite(.serialized) struct SnapshotSizeTests {
    /// The allocated size by malloc_info(3), over all arenas: their size without free memory, plus mapped blocks.
    private static func allocated() throws -> Int {
        typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32
        let symbol = try #require(dlsym(nil, "malloc_info"))
        var (buffer, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        let file = try #require(open_memstream(&buffer, &size))
        _ = unsafeBitCast(symbol, to: Info.self)(0, file)
        fclose(file)
        defer { free(buffer) }
        let totals = String(cString: try #require(buffer)).components(separatedBy: "</heap>").last ?? ""
        func total(_ kind: String) -> Int {
            let line = totals.split(separator: "\n").first { $0.contains(kind) }
            return line?.components(separatedBy: "size=\"").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        }
        return total("<system type=\"current\"") - total("<total type=\"fast\"") - total("<total type=\"rest\"")
            + total("<total type=\"mmap\"")
    }

    /// Sanitizers replace the allocator, so that malloc_info(3) sees no allocation.
    private static let isMeasurable: Bool = {
        guard let before = try? allocated(), let block = malloc(32 << 20) else { return false }
        defer { free(block) }
        return ((try? allocated()) ?? 0) - before >= 16 << 20
    }()

    private func item(_ index: Int, _ more: String) -> String {
        #"{"id":"item-\#(index)","type":"com.example.item","title":{"en":"Title number \#(index)"}\#(more)}"#
    }

    private static let long = String(repeating: "x", count: 3000)

    @Test(
        .enabled(if: isMeasurable, "a sanitizer replaces the allocator"),
        arguments: [
            ("a set", #","url":"https://example.com/a/b""#, ""),
            ("languages", #","subtitle":{"de":"Untertitel","fr":"Sous-titre","ko":"부제목"}"#, ""),
            ("long texts", #","userInfo":{"key":"\#(long)"}"#, ""),
            ("many values", #","userInfo":{"a":[1,2,3,4,5,6,7,8],"b":{"c":true,"d":"e"}}"#, ""),
            ("assets", "", #"{"version":"1.0","assets":{"images":["an image of some length","icon"],"symbols":[]}}"#),
        ])
    func `what is counted is what is taken`(name: String, more: String, release: String) throws {
        let document = #"{"items":[\#((0..<20).map { item($0, more) }.joined(separator: ","))]}"#
        let app = App(id: try appID(), name: nil, defaultLanguage: try #require(LanguageTag("en")), fallbackURL: nil)
        let images = (0..<2000).map { #""image number \#($0)""# }.joined(separator: ",")
        let releases = release.isEmpty ? "" : release.replacing(#""icon""#, with: images)
        func measured(isParsed: Bool) throws -> (counted: Int, taken: Int) {
            let before = try Self.allocated()
            let apps = try (0..<(release.isEmpty ? 100 : 40)).map { number in
                let sets = try (0..<(release.isEmpty ? 10 : 1)).map { version in
                    var row = SQLRow([
                        .text("default"), .text("\(version).0"), .integer(Int64(version)), .integer(0), .text("ci"),
                        .text(String(decoding: Array(document.utf8), as: UTF8.self)),
                    ])
                    return try StoredApp.StoredSet(row: &row)
                }
                let known = try (0..<(release.isEmpty ? 0 : 10)).map { _ in try Release(stored: Array(releases.utf8)) }
                var stored = StoredApp(
                    stamp: "\(number)", app: app, sets: sets, releases: known, nextPublish: nil, lastRevision: 1, candidates: [:])
                if isParsed { _ = try stored.snapshot() }
                return stored
            }
            let counted = apps.reduce(0) { $0 + $1.cost }
            let taken = try Self.allocated() - before
            withExtendedLifetime(apps) {}
            return (counted, taken)
        }
        for isParsed in [false, true] {
            // Concurrent tests allocate, too.
            var figures = [try measured(isParsed: isParsed)]
            func agree() -> Bool { figures.contains { (0.6...1.5).contains(Double($0.counted) / Double($0.taken)) } }
            while !agree(), figures.count < 20 { figures.append(try measured(isParsed: isParsed)) }
            #expect(agree(), "\(name), parsed: \(isParsed): \(figures)")
        }
    }
}
