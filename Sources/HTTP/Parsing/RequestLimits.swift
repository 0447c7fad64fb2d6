/// How much of a request head is read before it is refused.
package struct RequestLimits: Sendable {
    /// The longest request target, in bytes; above it 414.
    package var targetBytes = 8 << 10
    /// The longest field section (and trailer section) with its line ends, in bytes; above it 431.
    package var fieldBytes = 16 << 10
    /// The most field lines; above it 431.
    package var fieldCount = 100

    package init() {}

    /// The longest request line: a target, a method and a version.
    var lineBytes: Int { targetBytes &+ 64 }
}
