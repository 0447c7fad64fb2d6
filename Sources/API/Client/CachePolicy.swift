/// What caches are told about answers of the client plane (RFC 9111, RFC 5861).
package struct CachePolicy: Sendable {
    /// Seconds for which an answer is fresh.
    package let maxAge: Int

    package init(maxAge: Int = 60) {
        self.maxAge = maxAge
    }

    /// Fresh for a while, then served stale while or where the origin cannot answer.
    var ofMenu: String { "public, max-age=\(maxAge), stale-while-revalidate=86400, stale-if-error=604800" }

    /// A version without a set may get one with the next publish; a stale absence helps no one.
    var ofAbsence: String { "public, max-age=\(maxAge)" }
}
