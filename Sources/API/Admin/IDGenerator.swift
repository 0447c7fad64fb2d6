/// Generates ids and secrets; tests inject deterministic ones.
package struct IDGenerator: Sendable {
    /// Random text of ASCII letters and digits.
    package let makeID: @Sendable () -> String
    /// Random bytes.
    package let makeBytes: @Sendable (Int) -> [UInt8]

    package init(makeID: @escaping @Sendable () -> String, makeBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.makeID = makeID
        self.makeBytes = makeBytes
    }
}
