import Testing

@testable import QuickActions

func read(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }

extension JSON {
    var text: String { String(decoding: encoded, as: UTF8.self) }
}

func build(_ text: String) throws -> AppBuild { try #require(AppBuild(text)) }
func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text)) }
