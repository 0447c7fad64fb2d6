/// An invalid configuration: all problems, a line each.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let problems: [String]

    package init(_ problems: [String]) {
        self.problems = problems
    }

    package var description: String { problems.joined(separator: "\n") }
}
