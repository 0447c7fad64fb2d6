/// An invalid configuration: all problems, one per line.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let problems: [String]

    package init(_ problems: [String]) {
        self.problems = problems
    }

    package var description: String { problems.joined(separator: "\n") }
}
