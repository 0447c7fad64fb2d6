extension String {
    /// The text with `***` in place of the user information of each URL in it: from `://` to an `@`.
    ///
    /// It extends to the last `@`, because an unescaped password may contain delimiters of RFC 3986.
    var withoutUserInfo: String {
        var parts = split(separator: "://", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            if let at = parts[index].lastIndex(of: "@") { parts[index].replaceSubrange(..<at, with: "***") }
        }
        return parts.joined(separator: "://")
    }
}
