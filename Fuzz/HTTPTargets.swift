@testable import HTTP

/// The first byte says how it is cut.
func fuzzRequest(_ bytes: [UInt8]) {
    guard let seed = bytes.first else { return }
    judge(Array(bytes.dropFirst()), seed)
}

func fuzzChunks(_ bytes: [UInt8]) {
    guard let seed = bytes.first else { return }
    judge(Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + bytes.dropFirst(), seed)
}

private func judge(_ bytes: [UInt8], _ seed: UInt8) {
    let whole = verdict(bytes, .whole, bodyLimit: 4096)
    for feeding in [Feeding.byteByByte, .randomCuts] {
        let cut = verdict(bytes, feeding, bodyLimit: 4096, seed: UInt64(seed))
        require(cut == whole, "whole: \(whole)\ncut: \(cut)")
    }
}

func fuzzFields(_ bytes: [UInt8]) {
    let value = String(decoding: bytes, as: UTF8.self)
    _ = Accept(value).best(of: ["application/json", "application/x-plist"])
    _ = AcceptEncoding(value).prefers("gzip")
    _ = AcceptLanguage(value).ranges
    // A field's value has neither control bytes nor blanks at its ends when it comes here.
    guard String(validating: bytes, as: UTF8.self) != nil, bytes.allSatisfy(ByteClass.isFieldValue),
        bytes.first.map(Ascii.isBlank) != true, bytes.last.map(Ascii.isBlank) != true
    else { return }
    let tag = EntityTag(opaque: "a,b")
    let fails = Precondition.ifNoneMatch(["If-None-Match": value], current: tag) == .fails
    require(EntityTag.isListed(Array("\"\(tag.opaque)\"".utf8).span, in: bytes.span) == fails, "the two readers of If-None-Match differ")
}
