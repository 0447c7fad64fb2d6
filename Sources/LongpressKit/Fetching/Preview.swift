internal import Foundation
internal import QuickActions

/// A link to the drafts of an app, which an editor has made for test phones.
struct Preview: Sendable, Equatable {
    /// The host of the link, whatever its scheme.
    private static let host = "longpress-preview"

    let id: String
    let token: String

    /// Nil if the URL is not a preview link: `<scheme>://longpress-preview?id=…&token=…`.
    init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.encodedHost == Self.host else { return nil }
        func value(_ name: String) -> String? { parts.queryItems?.first { $0.name == name }?.value }
        guard let id = value("id"), let token = value("token"), Self.isSafe(id), Self.isSafe(token) else { return nil }
        (self.id, self.token) = (id, token)
    }

    /// The stored form.
    init?(_ file: Data) {
        guard let bytes = Seal.open(file), let json = try? JSONReader.read(bytes), let id = json["id"]?.asText?.string,
            let token = json["token"]?.asText?.string, Self.isSafe(id), Self.isSafe(token)
        else { return nil }
        (self.id, self.token) = (id, token)
    }

    var file: Data {
        let json: JSON = ["id": .string(id), "token": .string(token)]
        return Seal.close(json.encoded)
    }

    /// The token becomes part of a header field.
    private static func isSafe(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }
}

extension LongpressResponse {
    /// Whether this is the problem document `/problems/unknown-preview`: the link was deleted, or its time is over.
    var meansPreviewIsOver: Bool { status == 404 && problem == "unknown-preview" }
}
