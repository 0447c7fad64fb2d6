import HTTP

/// The encoded answers to the connection that is being served. The connections of a loop share one buffer, which is empty between them.
struct AnswerBuffer: ~Copyable {
    /// Pipelined requests are answered into one buffer up to this number of bytes.
    private static let bound = 64 << 10

    private var bytes: [UInt8] = []
    private var date = DateStamp()
    private var requestID: RequestID

    /// - Parameter seed: of the generated ids. It must differ between loops.
    init(seed: UInt64) {
        requestID = RequestID(seed: seed)
        bytes.reserveCapacity(Self.bound + 4096)
    }

    var isEmpty: Bool { bytes.isEmpty }
    var isFull: Bool { bytes.count >= Self.bound }

    /// Sets the value of the `Date` field of all answers from now on.
    mutating func setDate(secondsSince1970 seconds: Int) { date.update(secondsSince1970: seconds) }

    /// - Parameter id: the position of the request's id in `request`; nil to generate an id.
    @inline(__always)
    mutating func appendHead(
        of answer: PreparedAnswer, id: Range<Int>?, in request: Span<UInt8>, connection: ResponseEncoder.ConnectionField
    ) {
        if let id { requestID.replace(by: request.extracting(id)) } else { requestID.renew() }
        answer.appendHead(id: requestID.bytes, date: date.bytes, connection: connection, to: &bytes)
    }

    mutating func appendHead(of answer: PreparedAnswer, id: String, connection: ResponseEncoder.ConnectionField) {
        answer.appendHead(id: Array(id.utf8), date: date.bytes, connection: connection, to: &bytes)
    }

    /// The id of the last cached answer.
    var lastID: String { String(decoding: requestID.bytes, as: UTF8.self) }

    mutating func appendHead(
        of response: Response, id: String, connection: ResponseEncoder.ConnectionField, framing: ResponseEncoder.Framing = .length
    ) {
        ResponseEncoder.appendHead(of: response, id: id, date: date.bytes, connection: connection, framing: framing, to: &bytes)
    }

    @inline(__always)
    mutating func append(body: ArraySlice<UInt8>) { body.withUnsafeBufferPointer { bytes.append(contentsOf: $0) } }

    mutating func appendContinue() { bytes.append(ResponseEncoder.continueLine) }

    /// An answer with its body, encoded outside the buffer.
    func bytes(of response: Response, id: String, connection: ResponseEncoder.ConnectionField) -> [UInt8] {
        var bytes: [UInt8] = []
        ResponseEncoder.appendHead(of: response, id: id, date: date.bytes, connection: connection, to: &bytes)
        return bytes + response.body
    }

    /// Empties the buffer and returns its bytes.
    mutating func take() -> ArraySlice<UInt8> {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes[...]
    }

    enum Sent {
        case all, failed
        /// The socket's buffer is full. The associated bytes were not sent.
        case partial(ArraySlice<UInt8>)
    }

    /// Sends the buffer's bytes and empties it.
    mutating func send(to raw: Int32) -> Sent {
        defer { bytes.removeAll(keepingCapacity: true) }
        var sent = 0
        while sent < bytes.count {
            switch bytes.withUnsafeBytes({ Socket.send(raw, UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
            case .bytes(let count): sent &+= count
            case .failed: return .failed
            case .wouldBlock: return .partial(Array(bytes[sent...])[...])
            }
        }
        return .all
    }
}
