import QuickActions

/// The bytes of the present date, made once a second.
package struct DateStamp: Sendable {
    private var second = Int.min
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Brings `bytes` up to date.
    @inline(__always)
    package mutating func update(secondsSince1970 now: Int) {
        guard now != second else { return }
        second = now
        bytes = HTTPDate(secondsSince1970: Int64(now)).bytes
    }
}
