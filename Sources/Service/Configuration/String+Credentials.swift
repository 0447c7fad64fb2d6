extension String {
    /// The text with `***` instead of the user information of each URL in it: the text from `://` to an `@`.
    ///
    /// It extends to the last `@`, because an unescaped password may contain delimiters of RFC 3986.
    var withoutUserInfo: String {
        var parts = split(separator: "://", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            if let at = parts[index].lastIndex(of: "@") { parts[index].replaceSubrange(..<at, with: "***") }
        }
        return parts.joined(separator: "://")
    }

    /// A URL with `***` instead of its user information and of the values of libpq's secret parameters.
    var withoutCredentials: String {
        var parts = withoutUserInfo.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices {
            let part = parts[index]
            let start = index == 0 ? part.firstIndex(of: "?").map { part.index(after: $0) } : part.startIndex
            guard let start, let sign = part[start...].firstIndex(of: "="), Self.isSecret(part[start..<sign]) else { continue }
            parts[index] = part[...sign] + "***"
        }
        return parts.joined(separator: "&")
    }

    /// Whether the parameter's value is a secret. libpq decodes names, too, so an encoded name counts as secret.
    private static func isSecret(_ name: Substring) -> Bool {
        name.contains("%") || secretParameters.contains { name.lowercased().contains($0) }
    }

    private static let secretParameters = ["password", "secret", "scram_client_key", "scram_server_key"]
}
