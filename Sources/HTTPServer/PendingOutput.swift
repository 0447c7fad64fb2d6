/// A connection's output that waits for space in the socket's send buffer. Bodies are shared, not copied.
struct PendingOutput {
    private var parts: [ArraySlice<UInt8>] = []
    /// The reservation of memory for the parts.
    private var reservation: (any AnyObject & Sendable)?

    var isEmpty: Bool { parts.isEmpty }
    var byteCount: Int { parts.reduce(0) { $0 + $1.count } }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if !bytes.isEmpty { parts.append(bytes) }
    }

    /// Retains the object until all parts were sent.
    mutating func keep(_ reservation: any AnyObject & Sendable) {
        if !isEmpty { self.reservation = reservation }
    }

    /// Sends until the queue is empty or the socket would block. `.bytes` has the number of bytes sent.
    mutating func send(to descriptor: Int32) -> IOResult {
        var sent = 0
        while let part = parts.first {
            switch part.withUnsafeBytes({ Socket.send(descriptor, $0, more: parts.count > 1) }) {
            case .bytes(let count):
                sent &+= count
                if count >= part.count { parts.removeFirst() } else { parts[0] = part.dropFirst(count) }
            case .wouldBlock:
                return sent > 0 ? .bytes(sent) : .wouldBlock
            case .failed:
                return .failed
            }
        }
        reservation = nil
        return .bytes(sent)
    }
}
