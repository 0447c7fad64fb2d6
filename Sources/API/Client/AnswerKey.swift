import HTTP

/// The cache key of an answer: the target, `Accept`, `Accept-Encoding` and `Accept-Language` as received. Its bytes are the prefix of the
/// cached `PreparedAnswer`.
struct AnswerKey {
    let bytes: [UInt8]
    let hash: Int

    fileprivate init(bytes: [UInt8], hash: Int) {
        self.bytes = bytes
        self.hash = hash
    }

    /// - Parameter parts: the target, `Accept`, `Accept-Encoding` and `Accept-Language`.
    init(parts: [String?], seed: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160)
        var hasher = Hasher()
        hasher.combine(seed)
        for part in parts {
            guard var part else {
                bytes.append(Self.absent)
                hasher.combine(-1)
                continue
            }
            bytes.append(Self.present)
            part.withUTF8 { part in
                bytes.append(contentsOf: part)
                hasher.combine(part.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(part))
            }
        }
        self.bytes = bytes
        hash = hasher.finalize()
    }

    /// Nil if one of the fields is repeated: event loops do not look up such requests.
    init?(of request: Request, seed: Int) {
        var parts: [String?] = [request.target]
        for name in ["Accept", "Accept-Encoding", "Accept-Language"] {
            let values = request.fields.all(name)
            guard values.count <= 1 else { return nil }
            parts.append(values.first)
        }
        self.init(parts: parts, seed: seed)
    }

    // Neither value occurs in a target or in a field.
    private static let present: UInt8 = 0
    private static let absent: UInt8 = 1
}

extension AnswerKey {
    /// A key as ranges of a request's head, so that a lookup copies nothing.
    struct InHead {
        private let target: Range<Int>
        private let accept: Range<Int>?
        private let acceptEncoding: Range<Int>?
        private let acceptLanguage: Range<Int>?

        init(_ head: borrowing RequestHead) {
            target = head.target
            accept = head.accept
            acceptEncoding = head.acceptEncoding
            acceptLanguage = head.acceptLanguage
        }

        /// The same hash as `AnswerKey.hash`.
        func hash(in request: Span<UInt8>, seed: Int) -> Int {
            var hasher = Hasher()
            hasher.combine(seed)
            Self.combine(target, request, &hasher)
            Self.combine(accept, request, &hasher)
            Self.combine(acceptEncoding, request, &hasher)
            Self.combine(acceptLanguage, request, &hasher)
            return hasher.finalize()
        }

        /// Whether the answer is cached under this key, and not under another key with the same hash.
        @inline(__always)
        func isKey(of answer: PreparedAnswer, _ request: Span<UInt8>) -> Bool {
            isWritten(answer.bytes.span.extracting(answer.layout.prefix), in: request)
        }

        private func isWritten(_ key: Span<UInt8>, in request: Span<UInt8>) -> Bool {
            var index = 0
            return Self.follows(target, request, key, &index) && Self.follows(accept, request, key, &index)
                && Self.follows(acceptEncoding, request, key, &index) && Self.follows(acceptLanguage, request, key, &index)
                && index == key.count
        }

        /// The key itself.
        /// - Parameter hash: the result of `hash`.
        func key(in request: Span<UInt8>, hash: Int) -> AnswerKey {
            var key: [UInt8] = []
            key.reserveCapacity(160)
            for range in [target, accept, acceptEncoding, acceptLanguage] {
                key.append(range == nil ? AnswerKey.absent : AnswerKey.present)
                if let range { request.extracting(range).withUnsafeBufferPointer { key.append(contentsOf: $0) } }
            }
            return AnswerKey(bytes: key, hash: hash)
        }

        private static func combine(_ range: Range<Int>?, _ request: Span<UInt8>, _ hasher: inout Hasher) {
            hasher.combine(range?.count ?? -1)
            if let range { request.extracting(range).withUnsafeBytes { hasher.combine(bytes: $0) } }
        }

        private static func follows(_ range: Range<Int>?, _ request: Span<UInt8>, _ key: Span<UInt8>, _ index: inout Int) -> Bool {
            guard index < key.count else { return false }
            let mark = key[index]
            index += 1
            guard let range else { return mark == absent }
            guard mark == present, key.count - index >= range.count else { return false }
            defer { index += range.count }
            return request.extracting(range).isEqual(to: key.extracting(index..<index + range.count))
        }
    }
}

extension PreparedAnswer {
    /// Whether the answer is cached under that key, and not under another key with the same hash.
    func isKept(for key: AnswerKey) -> Bool {
        bytes.span.extracting(layout.prefix).isEqual(to: key.bytes)
    }
}
