@testable import HTTP

/// The result of a parser, as comparable text.
enum Verdict: Equatable, CustomStringConvertible {
    case needsMore
    case request(String, body: String, rest: Int)
    case refused(Int, String)

    var description: String {
        switch self {
        case .needsMore: "needs more"
        case .request(let head, let body, let rest): "\(head) body=\(body) rest=\(rest)"
        case .refused(let status, let code): "\(status) \(code)"
        }
    }

    var status: Int? { if case .refused(let status, _) = self { status } else { nil } }
}

/// How a message is fragmented before it is fed to the parser.
enum Feeding: CaseIterable {
    case whole, byteByByte, randomCuts
}

func verdict(
    _ text: String, _ feeding: Feeding = .whole, limits: RequestLimits = RequestLimits(), bodyLimit: Int = 1 << 20, seed: UInt64 = 1
) -> Verdict {
    verdict(Array(text.utf8), feeding, limits: limits, bodyLimit: bodyLimit, seed: seed)
}

func verdict(
    _ bytes: [UInt8], _ feeding: Feeding = .whole, limits: RequestLimits = RequestLimits(), bodyLimit: Int = 1 << 20, seed: UInt64 = 1
) -> Verdict {
    var random = SplitMix(state: seed)
    var parser = RequestParser(limits: limits)
    var end = 0
    while true {
        switch feeding {
        case .whole: end = bytes.count
        case .byteByByte: end = min(bytes.count, end + 1)
        case .randomCuts: end = min(bytes.count, end + Int.random(in: 1...40, using: &random))
        }
        switch parser.parse(bytes.span.extracting(0..<end)) {
        case .needsMore:
            if end == bytes.count { return .needsMore }
        case .refused(let failure):
            return .refused(failure.status.code, failure.code)
        case .head(let count):
            let said = describe(parser.head, bytes)
            do throws(RequestFailure) {
                _ = try Request(parser.head, bytes.span.extracting(0..<count), id: "", peerAddress: "")
                var reader = try BodyReader(parser.head.framing, limit: bodyLimit, limits: limits)
                return read(&reader, bytes, from: count, feeding, said, &random)
            } catch {
                return .refused(error.status.code, error.code)
            }
        }
    }
}

private func read(
    _ reader: inout BodyReader, _ bytes: [UInt8], from start: Int, _ feeding: Feeding, _ head: String, _ random: inout SplitMix
) -> Verdict {
    var used = start
    var end = start
    while true {
        switch feeding {
        case .whole: end = bytes.count
        case .byteByByte: end = min(bytes.count, end + 1)
        case .randomCuts: end = min(bytes.count, end + Int.random(in: 1...40, using: &random))
        }
        switch reader.receive(bytes.span.extracting(0..<end), from: &used) {
        case .needsMore: if end == bytes.count { return .needsMore }
        case .complete: return .request(head, body: String(decoding: reader.body, as: UTF8.self), rest: bytes.count - used)
        case .refused(let failure): return .refused(failure.status.code, failure.code)
        }
    }
}

private func describe(_ head: RequestHead, _ bytes: [UInt8]) -> String {
    let span = bytes.span
    var said = "\(head.method) \(span.text(head.target)) 1.\(head.minorVersion) keep=\(head.keepsAlive)"
    said += head.expectsContinue ? " expects" : ""
    for field in head.fields { said += " [\(span.text(field.name))=\(span.text(field.value))]" }
    return said
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
