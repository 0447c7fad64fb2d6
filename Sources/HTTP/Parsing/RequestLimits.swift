/// The limits of a request head.
package struct RequestLimits: Sendable {
    /// The most bytes of the request target; above it 414.
    package var targetBytes = 8 << 10
    /// The most bytes of the field section and of the trailer section, with line ends; above it 431.
    package var fieldBytes = 16 << 10
    /// The most field lines; above it 431.
    package var fieldCount = 100

    package init() {}

    /// The most bytes of the request line (method, target, version).
    var lineBytes: Int { targetBytes &+ 64 }
}
