import Testing

@testable import Shortcuts

@Suite struct RowTests {
    private let document = #"""
        {"items":[{"id":"a","type":"t","title":{"en":"A","ko":"가"},"subtitle":{"en":"sub"}},{"id":"b","type":"t","title":{"en":"B"},"subtitle":{"en":"sub b","ko":"나"}},
        {"id":"c","type":"t","title":{"en":"C","fr":"C fr"},"enabled":false}]}
        """#

    @Test(arguments: [
        ("ko", "ko", ["가|-|ko", "B|sub b|en"]), ("ko-KR", "ko", ["가|-|ko", "B|sub b|en"]), ("en", "en", ["A|sub|en", "B|sub b|en"]),
        ("fr", "en", ["A|sub|en", "B|sub b|en"]), ("de", "en", ["A|sub|en", "B|sub b|en"]),
    ])
    func `a row is of one language`(asked: String, chosen: String, rows: [String]) throws {
        let set = try set(document)
        let language = set.language(for: .exactly(try tag(asked)), default: try tag("en"))
        #expect(language.description == chosen)
        let served = try set.enabledItems.map { item in
            let row = item.row(in: language, default: try tag("en"))
            return "\(row.title)|\(row.subtitle.map(\.string) ?? "-")|\(row.language)"
        }
        #expect(served == rows)
    }
}
