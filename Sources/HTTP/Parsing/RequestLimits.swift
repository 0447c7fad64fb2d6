/// The limits of a request head.
package struct RequestLimits: Sendable {
    /// Of the request target, in bytes; above it 414.
    package var targetBytes = 8 << 10
    /// Of the field section and of the trailer section, in bytes with line ends; above it 431.
    package var fieldBytes = 16 << 10
    /// Of the number of field lines; above it 431.
    package var fieldCount = 100

    package init() {}

    /// Of the request line (method, target, version), in bytes.
    var lineBytes: Int { targetBytes &+ 64 }
}
