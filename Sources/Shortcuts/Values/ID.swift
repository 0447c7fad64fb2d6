import QuickActions

/// An id that the service generates: random text. Any text from a client is a valid value, but may identify nothing.
package struct ID<Tag>: Hashable, Comparable, Sendable, TextRepresentable, ExpressibleByStringInterpolation {
    package let description: String

    package init(_ text: String) {
        description = text
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// A webhook endpoint's id.
package typealias EndpointID = ID<Endpoint>

/// The id of a delivery of one event to one endpoint.
package typealias DeliveryID = ID<Delivery>

/// The id of an event, sent as `webhook-id` (Standard Webhooks): visible ASCII without a dot, the same for every endpoint.
package typealias EventID = ID<Event>

/// The id of an admin token. It is not the secret.
package typealias TokenID = ID<Token>

/// The id of a preview link. It is not the secret.
package typealias PreviewLinkID = ID<PreviewLink>

/// The id of an entry of an app's schedule.
package typealias ScheduleID = ID<ScheduleEntry>
