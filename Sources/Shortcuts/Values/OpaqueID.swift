import QuickActions

/// An id that the service generates: random text. Any text from a client is a valid value, but may identify nothing.
package protocol OpaqueID: Hashable, Comparable, Sendable, TextRepresentable, ExpressibleByStringInterpolation
where StringLiteralType == String {
    var description: String { get }

    init(_ text: String)
}

extension OpaqueID {
    package init(stringLiteral value: String) {
        self.init(value)
    }

    package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// A webhook endpoint's id.
package struct EndpointID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}

/// The id of a delivery of one event to one endpoint.
package struct DeliveryID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}

/// The id of an event, sent as `webhook-id` (Standard Webhooks): visible ASCII without a dot, the same for every endpoint.
package struct EventID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}

/// The id of an admin token. It is not the secret.
package struct TokenID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}

/// The id of an entry of an app's schedule.
package struct ScheduleID: OpaqueID {
    package let description: String

    package init(_ text: String) {
        description = text
    }
}
