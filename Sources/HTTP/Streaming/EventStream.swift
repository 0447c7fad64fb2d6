/// The body of a response that has no end: the events of some topics as they come (WHATWG HTML, section 9.2). Its response is to GET, 200
/// and has an empty `Response.body`.
package final class EventStream: Sendable {
    package let topics: [String]
    /// What is sent at once.
    package let events: [UInt8]
    /// The number of the last event that `events` has or that precedes it.
    package let position: Int64
    /// Whether all that follows `position` may be taken from `recent`; otherwise `more` is read first.
    package let isComplete: Bool
    package let recent: any RecentEvents
    /// What follows `position`, read on an opener; nil if it cannot be had, and the stream ends.
    package let more: @Sendable () -> EventStream?
    /// Retained until the stream ends.
    package let interest: AnyObject & Sendable
    /// What lets the client read the stream, retained until it ends; nil where anybody may.
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

/// What lets a client read a stream for as long as it lasts.
package protocol StreamAccess: AnyObject, Sendable {
    /// What is sent last; nil while the stream may be read. Event loops read it when a stream is opened and when the server is told that some
    /// of them have ended.
    var farewell: String? { get }
}

/// The newest events, in memory. Event loops call it.
package protocol RecentEvents: Sendable {
    /// The events behind a number, and the number of the last one of all; nil if some of them are not in memory any more.
    ///
    /// An event that it does not have yet is given to the server later than this call.
    func events(after number: Int64) -> (events: [StreamedEvent], position: Int64)?
}

/// One event, encoded once for all streams.
package final class StreamedEvent: Sendable {
    /// In the order of the events, whatever their topics.
    package let number: Int64
    package let topic: String
    package let text: [UInt8]

    package init(number: Int64, topic: String, text: [UInt8]) {
        self.number = number
        self.topic = topic
        self.text = text
    }
}
