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
