/// The body of a response without an end: the events of some topics as they occur (WHATWG HTML, section 9.2). The response must be a 200 to
/// GET with an empty `Response.body`.
package final class EventStream: Sendable {
    package let topics: [String]
    /// The bytes to send at once.
    package let events: [UInt8]
    /// The number of the last event in or before `events`.
    package let position: Int64
    /// Whether `recent` has everything after `position`. Otherwise `more` is read first.
    package let isComplete: Bool
    package let recent: any RecentEvents
    /// Reads the next part after `position`, on an opener. Nil if the part is not available; the stream then ends.
    package let more: @Sendable () -> EventStream?
    /// Retained until the stream ends.
    package let interest: AnyObject & Sendable
    /// The permission to read the stream, retained until the stream ends; nil if anybody may read it.
    package let access: (any StreamAccess)?

    package init(
        topics: [String], events: [UInt8], position: Int64, isComplete: Bool, recent: any RecentEvents,
        interest: AnyObject & Sendable, access: (any StreamAccess)? = nil, more: @escaping @Sendable () -> EventStream?
    ) {
        self.topics = topics
        self.events = events
        self.position = position
        self.isComplete = isComplete
        self.recent = recent
        self.interest = interest
        self.access = access
        self.more = more
    }
}

/// The permission to read a stream, which may end.
package protocol StreamAccess: AnyObject, Sendable {
    /// The last bytes to send once the permission has ended; nil while the stream may be read. Event loops read it when a stream is opened
    /// and when the server is notified that some permissions have ended.
    var farewell: String? { get }
}

/// The newest events, in memory. Event loops call it.
package protocol RecentEvents: Sendable {
    /// The events after a number, and the number of the last event of all topics. Nil if some of them are no longer in memory.
    ///
    /// Events that are not included are sent to the server after this call.
    func events(after number: Int64) -> (events: [StreamedEvent], position: Int64)?

    /// False once the numbers do not continue. From then on, `events` returns nil.
    var isCurrent: Bool { get }
}

/// One event, encoded once for all streams.
package final class StreamedEvent: Sendable {
    /// Increases with each event, across all topics.
    package let number: Int64
    package let topic: String
    package let text: [UInt8]

    package init(number: Int64, topic: String, text: [UInt8]) {
        self.number = number
        self.topic = topic
        self.text = text
    }
}
