import HTTP

/// An answer as it is kept: packed, in one piece of memory. What is not sent of it is the spelling of the fetch that it answers.
struct PackedAnswer: @unchecked Sendable {  // what may change belongs to the lock of the answers that keep it
    struct Header {
        /// Where it is kept: the hash of its spelling, which no other kept one has.
        let place: Int
        let app: AppAnswers
        /// What it was packed with; nil where it is kept as it is.
        let sample: Sample?
        let layout: PreparedAnswer.Layout
        let route: String?
        /// Of its bytes, unpacked and packed.
        let count, packedCount: UInt32

        /// Its place in the order of eviction, and in the list of its app.
        var turn: UInt32 = 0
        var number: UInt32 = 0
        /// Look-ups since eviction last came by.
        var uses: UInt8 = 0
    }

    private let memory: ManagedBuffer<Header, UInt8>

    /// - Parameter packed: the answer's bytes, packed with the sample; nil where they cannot be.
    init(_ answer: PreparedAnswer, packed: [UInt8]?, with sample: Sample?, at place: Int, of app: AppAnswers) {
        let bytes = packed ?? answer.bytes
        let header = Header(
            place: place, app: app, sample: packed == nil ? nil : sample, layout: answer.layout, route: answer.route,
            count: UInt32(answer.bytes.count), packedCount: UInt32(bytes.count))
        memory = ManagedBuffer<Header, UInt8>.create(minimumCapacity: bytes.count) { _ in header }
        memory.withUnsafeMutablePointerToElements { $0.update(from: bytes, count: bytes.count) }
    }

    var header: Header {
        get { memory.header }
        nonmutating _modify { yield &memory.header }
    }

    /// The answer again, in memory of its own.
    func unpacked(by unpacker: Unpacker) -> PreparedAnswer? {
        let header = header
        let bytes = memory.withUnsafeMutablePointerToElements { elements in
            let packed = UnsafeBufferPointer(start: elements, count: Int(header.packedCount))
            guard let sample = header.sample else { return [UInt8]?.some(Array(packed)) }
            return unpacker.unpack(packed, count: Int(header.count), sample: sample.bytes)
        }
        return bytes.map { PreparedAnswer(bytes: $0, layout: header.layout, route: header.route) }
    }

    var cost: Int { Self.cost(Int(header.packedCount)) }

    /// What so many bytes take in memory: with the rest of the object, its places in the tables, and what the allocator adds.
    static func cost(_ count: Int) -> Int { count + 192 }
}

/// What answers are packed with: some of the first ones, which most others are like.
final class Sample: Sendable {
    /// More would take longer to pack with than it saves.
    static let size = 2 << 10

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}
