import HTTP

/// An answer as it is kept: packed, in one piece of memory. What is not sent of it is the spelling of the fetch that it answers.
struct PackedAnswer: @unchecked Sendable {  // its standing belongs to the lock of the answers that keep it
    /// What is to be kept.
    struct Contents {
        /// The hash of the spelling, by which it is found.
        let place: Int
        let layout: PreparedAnswer.Layout
        let route: String?
        /// How many bytes they were.
        let count: Int
        let bytes: [UInt8]
        /// What they were packed with; nil where they are as they were.
        let sample: Sample?

        /// - Parameter packed: the answer's bytes, packed with the sample; nil where they cannot be.
        init(_ answer: PreparedAnswer, packed: [UInt8]?, with sample: Sample?, at place: Int) {
            self.place = place
            layout = answer.layout
            route = answer.route
            count = answer.bytes.count
            bytes = packed ?? answer.bytes
            self.sample = packed == nil ? nil : sample
        }

        /// What it takes in memory: the bytes, the rest of the object, its places in the tables, and what the allocator adds.
        var cost: Int { bytes.count + 192 }
    }

    struct Header {
        /// The hash of its spelling, which no other kept one has.
        let place: Int
        let app: AppAnswers
        let sample: Sample?
        let layout: PreparedAnswer.Layout
        let route: String?
        /// Of its bytes, as they were and as they are.
        let count, packedCount: UInt32
        let cost: UInt32
    }

    /// What changes while it is kept.
    struct Standing {
        /// Its place in the order of eviction, and in the list of its app.
        var turn: Int32
        var number: Int32
        /// Look-ups since eviction or a change of the app last came by, up to a few.
        var uses: UInt8
    }

    private let memory: ManagedBuffer<(header: Header, standing: Standing), UInt8>

    init(_ contents: Contents, of app: AppAnswers, _ standing: Standing) {
        let header = Header(
            place: contents.place, app: app, sample: contents.sample, layout: contents.layout, route: contents.route,
            count: UInt32(contents.count), packedCount: UInt32(contents.bytes.count), cost: UInt32(contents.cost))
        memory = .create(minimumCapacity: contents.bytes.count) { _ in (header, standing) }
        memory.withUnsafeMutablePointerToElements { $0.update(from: contents.bytes, count: contents.bytes.count) }
    }

    // Each read for itself: who has no lock must not read the other.
    var header: Header { memory.withUnsafeMutablePointerToHeader { $0.pointee.header } }

    var standing: Standing {
        get { memory.withUnsafeMutablePointerToHeader { $0.pointee.standing } }
        nonmutating set { memory.withUnsafeMutablePointerToHeader { $0.pointee.standing = newValue } }
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
