import HTTP

/// Answers as bytes, of the connection whose turn it is; empty between two turns. All connections of a loop share one.
struct AnswerBuffer: ~Copyable {
    /// Requests that came together are answered until there are so many bytes.
    private static let bound = 64 << 10

    private var bytes: [UInt8] = []
    private var date = DateStamp()

    init() { bytes.reserveCapacity(Self.bound + 4096) }

    var isEmpty: Bool { bytes.isEmpty }
    var isFull: Bool { bytes.count >= Self.bound }

    /// Sets what `Date` says.
    mutating func setDate(secondsSince1970 seconds: Int) { date.update(secondsSince1970: seconds) }

    @inline(__always)
    mutating func appendHead(of answer: PreparedAnswer, connection: ResponseEncoder.ConnectionField) {
        answer.appendHead(date: date.bytes, connection: connection, to: &bytes)
    }

    mutating func appendHead(of response: Response, connection: ResponseEncoder.ConnectionField) {
        ResponseEncoder.appendHead(of: response, date: date.bytes, connection: connection, to: &bytes)
    }

    @inline(__always)
    mutating func append(body: ArraySlice<UInt8>) { body.withUnsafeBufferPointer { bytes.append(contentsOf: $0) } }

    mutating func appendContinue() { bytes.append(ResponseEncoder.continueLine) }

    /// An answer for somebody else, with its body.
    func bytes(of response: Response, connection: ResponseEncoder.ConnectionField) -> [UInt8] {
        var bytes: [UInt8] = []
        ResponseEncoder.appendHead(of: response, date: date.bytes, connection: connection, to: &bytes)
        return bytes + response.body
    }

    /// Empties it and returns what was in it.
    mutating func take() -> ArraySlice<UInt8> {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes[...]
    }

    enum Sent {
        case all, failed
        /// What the kernel did not take.
        case allBut(ArraySlice<UInt8>)
    }

    /// Sends what is in it and empties it.
    mutating func send(to raw: Int32) -> Sent {
        defer { bytes.removeAll(keepingCapacity: true) }
        var sent = 0
        while sent < bytes.count {
            switch bytes.withUnsafeBytes({ Socket.send(raw, UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
            case .bytes(let count): sent &+= count
            case .failed: return .failed
            case .wouldBlock: return .allBut(Array(bytes[sent...])[...])
            }
        }
        return .all
    }
}
