/// `Accept-Encoding` (RFC 9110 12.5.3).
package struct AcceptEncoding: Sendable {
    private let codings: [WeightedList.Element]?

    package init(_ fields: Fields) { self.init(fields.combined("Accept-Encoding")) }

    /// An empty value accepts only `identity`. Without the field every coding is acceptable and none is preferred.
    package init(_ value: String?) {
        codings = value.map { WeightedList($0).elements }
    }

    /// The weight of a content coding in thousandths; `identity` is acceptable unless it is excluded.
    package func quality(of coding: String) -> Int {
        guard let codings else { return 1000 }
        let coding = Self.canonical(coding.lowercased())
        if let named = codings.first(where: { Self.canonical($0.value) == coding }) { return named.weight }
        let rest = codings.first { $0.value == "*" }
        if coding == "identity" { return rest?.weight == 0 ? 0 : 1 }
        return rest?.weight ?? 0
    }

    /// Whether the field names gzip, with a weight not below that of `identity`.
    package var prefersGzip: Bool {
        guard codings != nil else { return false }
        let gzip = quality(of: "gzip")
        return gzip > 0 && gzip >= quality(of: "identity")
    }

    /// RFC 9110 8.4.1.3.
    private static func canonical(_ coding: String) -> String { coding == "x-gzip" ? "gzip" : coding }
}
