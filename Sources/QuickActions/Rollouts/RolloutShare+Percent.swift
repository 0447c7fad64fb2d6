extension RolloutShare {
    /// Reads a percentage such as 10 or 12.5. Nil unless it is a number from 0 to 100 with at most two decimals.
    package init?(percent: JSON) {
        switch percent {
        case .integer(let whole) where (0...100).contains(whole): self.init(threshold: Int(whole) * 100)
        case .real(let percent) where (0...100).contains(percent):
            let rounded = (percent * 100).rounded()
            // A decimal is parsed to the nearest double, and so is the quotient rounded (IEEE 754). Other decimals differ.
            guard rounded / 100 == percent else { return nil }
            self.init(threshold: Int(rounded))
        default: return nil
        }
    }

    /// An integer if the percentage has no decimals.
    package var percent: JSON {
        threshold.isMultiple(of: 100) ? .integer(Int64(threshold / 100)) : .real(Double(threshold) / 100)
    }
}

extension RolloutShare: TextParsable {
    /// `12.5`
    package init?(_ text: String) {
        guard let json = try? JSONReader.read(Array(text.utf8)) else { return nil }
        self.init(percent: json)
    }

    /// `12.5`
    package var text: String { String(decoding: percent.encoded, as: UTF8.self) }

    package static func rule(for text: String) -> String {
        "\(text.isEmpty ? "An empty text" : text) is not a share. Use a percentage from 0 to 100 with at most two decimals, such as 12.5."
    }
}
