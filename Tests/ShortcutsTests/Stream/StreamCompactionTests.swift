import QuickActions
import Testing

@testable import Shortcuts

@Suite struct StreamCompactionTests {
    /// `a:1.0` (a set), `a:1.0-2.0` (up to another one), `a:1.0@guest`, `a` (the app), `-a` (deleted). The numbers are the indices.
    private func entries(_ words: String) throws -> [StreamEntry] {
        try words.split(separator: " ").enumerated().map { index, word in
            let number = Int64(index + 1)
            let parts = word.drop { $0 == "-" }.split(separator: ":")
            let change: StreamEntry.Change
            if word.hasPrefix("-") {
                change = .deletion
            } else if parts.count == 1 {
                change = .app(revision: number)
            } else {
                let place = parts[1].split(separator: "@")
                let stretch = try place[0].split(separator: "-").map { try version(String($0)) }
                let audience = place.count > 1 ? try #require(Audience(String(place[1]))) : .default
                change = .set(revision: number, audience, from: stretch[0], until: stretch.count > 1 ? stretch[1] : nil)
            }
            let app = try #require(AppID(String(parts[0])))
            return StreamEntry(position: StreamPosition(number: number, tag: "t"), app: app, change: change)
        }
    }

    @Test(
        arguments: [
            ("a:1.0 a:1.0", [2]), ("a:1.0 a:2.0 a:1.0", [2, 3]), ("a:1.0 b:1.0", [1, 2]), ("a:1.0 a:1.0@guest", [1, 2]),
            ("a a:1.0 a", [2, 3]),
            ("a:1.0 a -a", [3]), ("a:1.0 -a a:1.0 a a:1.0", [2, 4, 5]), ("-a a -a", [3]), ("a:1.0 -b", [1, 2]), ("", []),
        ] as [(String, [Int64])])
    func `the newest entry of each place is told`(words: String, numbers: [Int64]) throws {
        #expect(try entries(words).compacted.map(\.position.number) == numbers)
    }

    @Test func `every version that an entry covers is covered`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            // Publishes and deletions of sets at five versions.
            var current: Set<Int> = []
            let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                let from = Int.random(in: 1...5, using: &random)
                let until = current.filter { $0 > from }.min().map { "-\($0).0" } ?? ""
                if current.contains(from), Bool.random(using: &random) { current.remove(from) } else { current.insert(from) }
                return "a:\(from).0\(until)"
            }.joined(separator: " ")
            func covered(_ entries: [StreamEntry]) -> Set<Int> {
                Set(
                    (1...6).filter { number in
                        entries.contains { entry in
                            guard case .set(_, _, let from, let until) = entry.change, let version = AppVersion("\(number).0") else {
                                return false
                            }
                            return from <= version && until.map { version < $0 } ?? true
                        }
                    })
            }
            let all = try entries(words)
            #expect(covered(all.compacted) == covered(all), "\(words)")
        }
    }
}
