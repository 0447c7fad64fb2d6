/// The token for the admin plane. It is only read when a request needs it.
package enum AccessToken: Sendable {
    case none
    case given(String)

    /// - Parameter source: where it was read from, for the message.
    package init(_ text: String, from source: String) throws(RemoteFailure) {
        var token = text[...]
        while let last = token.utf8.last, last == 0x0A || last == 0x0D || last == 0x20 { token = token.dropLast() }
        while token.first == " " { token = token.dropFirst() }
        guard !token.isEmpty else {
            throw RemoteFailure("\(source) is empty. Put a token into it; longpress token create prints one.")
        }
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw RemoteFailure("\(source) does not contain a token. A token is one word of visible ASCII.")
        }
        self = .given(String(token))
    }

    func secret() throws(RemoteFailure) -> String {
        switch self {
        case .none:
            throw RemoteFailure("The service requires a token. Set LONGPRESS_TOKEN, or pass a file with the token as --token-file.")
        case .given(let token): token
        }
    }
}
