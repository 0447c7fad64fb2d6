@testable import HTTP

/// What a parser says of some bytes, in a form that can be compared.
enum Verdict: Equatable, CustomStringConvertible {
    case needsMore
    case head(method: String, target: String, fields: [String], framing: RequestHead.Framing, keepsAlive: Bool, length: Int)
    case refused(status: Int, code: String)

    var description: String {
        switch self {
        case .needsMore: "needs more"
        case .head(let method, let target, let fields, let framing, let keepsAlive, let length):
            "\(method) \(target) \(fields) \(framing) keeps alive: \(keepsAlive) length: \(length)"
        case .refused(let status, let code): "\(status) \(code)"
        }
    }
}

/// Feeds a parser ever longer beginnings of a text, as a socket would.
func verdict(on text: String, cuts: [Int] = [], limits: RequestParser.Limits = .init()) -> Verdict {
    verdict(on: Array(text.utf8), cuts: cuts, limits: limits)
}

func verdict(on bytes: [UInt8], cuts: [Int] = [], limits: RequestParser.Limits = .init()) -> Verdict {
    var parser = RequestParser(limits: limits)
    for end in cuts + [bytes.count] {
        let verdict = bytes[..<end].withUnsafeBytes { buffer in Verdict(parser.parse(buffer), parser.head, buffer) }
        if verdict != .needsMore { return verdict }
    }
    return .needsMore
}

extension Verdict {
    init(_ result: RequestParser.Result, _ head: RequestHead, _ bytes: UnsafeRawBufferPointer) {
        switch result {
        case .needsMore: self = .needsMore
        case .refused(let failure): self = .refused(status: failure.status.code, code: failure.code)
        case .head:
            let request = head.request(in: bytes, id: "", peerAddress: "")
            self = .head(
                method: request?.method.description ?? "", target: request?.target ?? "",
                fields: request?.fields.all.map { "\($0.name): \($0.value)" } ?? [], framing: head.framing,
                keepsAlive: head.keepsAlive, length: head.length)
        }
    }

    var status: Int? {
        if case .refused(let status, _) = self { return status }
        return nil
    }
}

/// A generator whose numbers are the same in every run.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
