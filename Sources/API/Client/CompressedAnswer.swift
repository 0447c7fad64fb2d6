import HTTP
import Synchronization

/// A compressed answer, shared by all event loops, with the fetch from which it is rendered again after a change of its app.
struct CompressedAnswer: Sendable {
    /// The simplest one that selects the answer's representation.
    let fetch: FetchRequest
    /// Deflated with the dictionary; uncompressed if that is nil.
    private let bytes: [UInt8]
    private let dictionary: [UInt8]?
    /// The size of the inflated bytes.
    private let count: UInt32
    private let layout: PreparedAnswer.Layout

    fileprivate init(_ answer: PreparedAnswer, to fetch: FetchRequest, _ deflated: (bytes: [UInt8], dictionary: [UInt8])?) {
        self.fetch = fetch
        bytes = deflated?.bytes ?? answer.bytes
        dictionary = deflated?.dictionary
        count = UInt32(answer.bytes.count)
        layout = answer.layout
    }

    /// The memory it takes, in bytes: the array, this value in the tables by key and by app, and the allocator's overhead.
    var cost: Int { bytes.count + MemoryLayout<Self>.stride + 128 }

    /// Inflates the answer. Nil if zlib cannot allocate memory.
    func prepared(by inflater: Inflater) -> PreparedAnswer? {
        let inflated: [UInt8]? =
            if let dictionary { inflater.inflate(bytes, count: Int(count), dictionary: dictionary) } else { bytes }
        return inflated.map { PreparedAnswer(bytes: $0, layout: layout, route: fetch.resource.route) }
    }
}

/// Compresses answers with a preset dictionary, which is the first 2 KiB that were to be compressed: most answers are similar (measured
/// in docs/decisions/0005). Any thread may call it.
final class AnswerCompressor: Sendable {
    private struct State {
        var deflater: Deflater?
        var dictionary: [UInt8] = []
    }

    /// In bytes; the time to compress with a larger one is not worth what it saves.
    private static let dictionarySize = 2 << 10
    /// In bytes; larger answers stay uncompressed, because inflating them would take longer than the rest of a fetch.
    private static let sizeLimit = 32 << 10

    private let state = Mutex(State())

    func compress(_ answer: PreparedAnswer, to fetch: FetchRequest) -> CompressedAnswer {
        CompressedAnswer(answer, to: fetch, answer.bytes.count <= Self.sizeLimit ? deflated(answer.bytes) : nil)
    }

    /// Nil until the dictionary is full, and if the result would not be shorter.
    private func deflated(_ bytes: [UInt8]) -> (bytes: [UInt8], dictionary: [UInt8])? {
        state.withLock { state in
            guard state.dictionary.count == Self.dictionarySize else {
                state.dictionary += bytes.prefix(Self.dictionarySize - state.dictionary.count)
                return nil
            }
            if state.deflater == nil { state.deflater = Deflater() }
            return state.deflater?.deflate(bytes, dictionary: state.dictionary).map { ($0, state.dictionary) }
        }
    }
}
