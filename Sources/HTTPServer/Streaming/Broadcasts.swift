import HTTP

/// Events that are being sent to the streams of a loop, to a few streams per turn, so that requests are answered in between.
struct Broadcasts: ~Copyable {
    /// The number of streams served per turn: about 0.2 ms.
    private static let slice = 24
    /// Consecutive events of one topic are sent together up to this number of bytes.
    private static let mergeLimit = 16 << 10

    /// Events of one topic, encoded with and without chunks.
    private struct Batch {
        /// Never empty.
        let events: [StreamedEvent]
        let topic: String
        /// The numbers of the first and the last event.
        let (first, last): (Int64, Int64)
        let chunk: ArraySlice<UInt8>
        let text: ArraySlice<UInt8>
        let slots: [Int32]
        /// The index in `slots` of the next stream.
        var index = 0

        init(_ first: StreamedEvent, _ events: [StreamedEvent], slots: [Int32]) {
            let text = events.flatMap(\.text)
            self.events = events
            topic = first.topic
            (self.first, last) = (first.number, events.last?.number ?? first.number)
            self.text = text[...]
            chunk = ChunkEncoder.chunk(text)[...]
            self.slots = slots
        }
    }

    private var waiting: [StreamedEvent] = []
    private var current: Batch?

    var isEmpty: Bool { current == nil && waiting.isEmpty }

    mutating func append(_ events: [StreamedEvent]) { waiting += events }

    /// Drops all events, because the streams have ended.
    mutating func removeAll() { (waiting, current) = ([], nil) }

    /// Sends to the next few streams.
    mutating func advance(over transport: inout Transport) {
        if current == nil { current = next(over: transport) }
        guard var batch = current else { return }
        current = nil
        let end = min(batch.slots.count, batch.index + Self.slice)
        while batch.index < end {
            send(batch, to: batch.slots[batch.index], over: &transport)
            batch.index += 1
        }
        if batch.index < batch.slots.count { current = batch }
    }

    private mutating func next(over transport: borrowing Transport) -> Batch? {
        while let first = waiting.first {
            var (count, bytes) = (0, 0)
            for event in waiting {
                guard event.topic == first.topic, count == 0 || bytes + event.text.count <= Self.mergeLimit else { break }
                (count, bytes) = (count + 1, bytes + event.text.count)
            }
            let events = Array(waiting.prefix(count))
            waiting.removeFirst(count)
            let slots = transport.streams.slots(of: first.topic)
            if !slots.isEmpty { return Batch(first, events, slots: slots) }
        }
        return nil
    }

    /// Sends the events that the stream has not received yet.
    private func send(_ batch: Batch, to slot: Int32, over transport: inout Transport) {
        guard let connection = transport.connection(slot: Int(slot)), let stream = connection.stream, stream.more == nil,
            stream.position < batch.last, stream.hears(batch.topic)
        else { return }
        if stream.position < batch.first {
            transport.streams.countEvents(batch.events.count)
            transport.send(stream.isChunked ? batch.chunk : batch.text, to: connection)
        } else {
            let rest = batch.events.filter { $0.number > stream.position }
            transport.streams.countEvents(rest.count)
            transport.send(stream.coded(rest.flatMap(\.text))[...], to: connection)
        }
        stream.position = batch.last
    }
}
