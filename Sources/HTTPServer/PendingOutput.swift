/// What of a connection's answers the kernel has not taken yet. Bodies are shared, not copied.
struct PendingOutput {
    private var parts: [[UInt8]] = []
    private var offset = 0

    var isEmpty: Bool { parts.isEmpty }

    mutating func append(_ bytes: [UInt8], from start: Int = 0) {
        guard start < bytes.count else { return }
        if parts.isEmpty {
            offset = start
            parts.append(bytes)
        } else {
            parts.append(start == 0 ? bytes : Array(bytes[start...]))
        }
    }

    /// Sends until all is sent or the kernel takes no more. `.bytes` tells how many it took.
    mutating func send(to descriptor: Int32) -> Transfer {
        var sent = 0
        while let part = parts.first {
            switch Socket.send(descriptor, part, from: offset, more: parts.count > 1) {
            case .bytes(let count):
                sent &+= count
                offset &+= count
                if offset >= part.count {
                    parts.removeFirst()
                    offset = 0
                }
            case .wouldBlock:
                return sent > 0 ? .bytes(sent) : .wouldBlock
            case .failed:
                return .failed
            }
        }
        return .bytes(sent)
    }
}
