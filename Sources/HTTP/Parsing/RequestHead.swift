/// A request's head as places in the buffer it was read from; nothing is copied until somebody asks.
package struct RequestHead: Sendable {
    package struct Field: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    package enum Framing: Hashable, Sendable {
        case none
        case length(Int)
        case chunked
    }

    package internal(set) var method = 0..<0
    package internal(set) var target = 0..<0
    package internal(set) var minorVersion = 1
    package internal(set) var fields: [Field] = []
    package internal(set) var framing = Framing.none
    package internal(set) var expectsContinue = false
    package internal(set) var keepsAlive = true
    /// Where the body, or the next request, begins.
    package internal(set) var length = 0

    // The fields that decide a fetch; nil where there is none.
    package internal(set) var accept: Range<Int>?
    package internal(set) var acceptEncoding: Range<Int>?
    package internal(set) var acceptLanguage: Range<Int>?
    package internal(set) var ifNoneMatch: Range<Int>?
    /// Whether one of those is given twice: then the head is no key, and the slow way joins them.
    package internal(set) var repeatsNegotiation = false

    package init() {}

    mutating func reset() {
        method = 0..<0
        target = 0..<0
        minorVersion = 1
        fields.removeAll(keepingCapacity: true)
        framing = .none
        expectsContinue = false
        keepsAlive = true
        length = 0
        accept = nil
        acceptEncoding = nil
        acceptLanguage = nil
        ifNoneMatch = nil
        repeatsNegotiation = false
    }

    package func isGet(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[method].elementsEqual("GET".utf8)
    }

    package func isHead(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[method].elementsEqual("HEAD".utf8)
    }

    /// The request without its body. Nil when the target's escapes decode to no text.
    package func request(in bytes: UnsafeRawBufferPointer, id: String, peerAddress: String) -> Request? {
        let target = text(self.target, bytes)
        guard let parts = RequestTarget(target) else { return nil }
        var fields = Fields()
        for field in self.fields { fields.append(text(field.name, bytes), text(field.value, bytes)) }
        return Request(
            method: Method(text(method, bytes)), target: target, path: parts.path, query: parts.query, fields: fields, id: id,
            peerAddress: peerAddress)
    }

    private func text(_ range: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension RequestHead {
    /// Whether `If-None-Match` names the entity tag. A single strong tag is compared in place; a list, a weak tag or `*`
    /// is taken apart.
    package func has(_ etag: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let ifNoneMatch else { return false }
        let value = bytes[ifNoneMatch]
        if value.elementsEqual(etag) { return true }
        let condition = EntityTagCondition(String(decoding: value, as: UTF8.self))
        return condition.matchesWeakly(String(decoding: etag, as: UTF8.self))
    }
}
