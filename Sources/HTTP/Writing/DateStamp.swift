import QuickActions

/// The bytes of the `Date` field's value, formatted once a second.
package struct DateStamp: Sendable {
    private var second = Int.min
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Formats `bytes` again if the second has changed.
    @inline(__always)
    package mutating func update(secondsSince1970 now: Int) {
        guard now != second else { return }
        second = now
        bytes = HTTPDate(secondsSince1970: Int64(now)).bytes
    }
}
