/// What of a connection's answers the kernel has not taken yet. Bodies are shared, not copied.
struct PendingOutput {
    private var parts: [ArraySlice<UInt8>] = []

    var isEmpty: Bool { parts.isEmpty }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if !bytes.isEmpty { parts.append(bytes) }
    }

    /// Sends until all is sent or the kernel takes no more. `.bytes` tells how many it took.
    mutating func send(to descriptor: Int32) -> Transfer {
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
        return .bytes(sent)
    }
}
