extension String {
    /// The text with `***` for the user and password of each URL in it: what stands between `://` and an `@`.
    ///
    /// A password may hold unescaped what ends an authority in RFC 3986, so all up to the last `@` is taken for it.
    var withoutUserInfo: String {
        var parts = split(separator: "://", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            if let at = parts[index].lastIndex(of: "@") { parts[index].replaceSubrange(..<at, with: "***") }
        }
        return parts.joined(separator: "://")
    }
}
