import HTTP
import Synchronization

/// An answer as all event loops share it: compressed, with the fetch that it is made anew from once its app has changed.
struct CompressedAnswer: Sendable {
    /// The simplest one that selects the answer's representation.
    let fetch: FetchRequest
    /// Deflated with the dictionary, or as they were where that is nil.
    private let bytes: [UInt8]
    private let dictionary: [UInt8]?
    /// How many bytes they were.
    private let count: UInt32
    private let layout: PreparedAnswer.Layout

    fileprivate init(_ answer: PreparedAnswer, to fetch: FetchRequest, _ deflated: (bytes: [UInt8], dictionary: [UInt8])?) {
        self.fetch = fetch
        bytes = deflated?.bytes ?? answer.bytes
        dictionary = deflated?.dictionary
        count = UInt32(answer.bytes.count)
        layout = answer.layout
    }

    /// What it takes in memory: the bytes and their object, itself in a table of the answers by key and by app, and what the
    /// allocator adds.
    var cost: Int { bytes.count + MemoryLayout<Self>.stride + 128 }

    /// The answer again, in memory of its own. Nil where zlib cannot have its memory.
    func prepared(by inflater: Inflater) -> PreparedAnswer? {
        let inflated: [UInt8]? =
            if let dictionary { inflater.inflate(bytes, count: Int(count), dictionary: dictionary) } else { bytes }
        return inflated.map { PreparedAnswer(bytes: $0, layout: layout, route: fetch.resource.route) }
    }
}

/// Compresses answers with a preset dictionary: the first bytes that it was given, which most others are like (measured in
/// docs/decisions/0005).
final class AnswerCompressor: Sendable {
    private struct State {
        var deflater: Deflater?
        var dictionary: [UInt8] = []
    }

    /// More would take longer to compress with than it saves.
    private static let dictionarySize = 2 << 10
    /// Answers of more bytes are kept as they are: inflating them would take longer than all else.
    private static let mostCompressed = 32 << 10

    private let state = Mutex(State())

    func compress(_ answer: PreparedAnswer, to fetch: FetchRequest) -> CompressedAnswer {
        CompressedAnswer(answer, to: fetch, answer.bytes.count <= Self.mostCompressed ? deflated(answer.bytes) : nil)
    }

    /// Nil while the dictionary is not full, and where it would not be shorter.
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
