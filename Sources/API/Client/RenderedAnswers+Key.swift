import HTTP

extension RenderedAnswers {
    /// What decides an answer's bytes: the target, `Accept`, `Accept-Encoding` and `Accept-Language` as they came.
    struct Key {
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

        func hash(in bytes: Span<UInt8>, seed: Int) -> Int {
            var hasher = Hasher()
            hasher.combine(seed)
            Self.combine(target, bytes, &hasher)
            Self.combine(accept, bytes, &hasher)
            Self.combine(acceptEncoding, bytes, &hasher)
            Self.combine(acceptLanguage, bytes, &hasher)
            return hasher.finalize()
        }

        /// Whether `spelling` is this key, as `Spelling` writes it.
        func isSpelled(_ spelling: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
            var place = 0
            return Self.follows(target, bytes, spelling, &place) && Self.follows(accept, bytes, spelling, &place)
                && Self.follows(acceptEncoding, bytes, spelling, &place) && Self.follows(acceptLanguage, bytes, spelling, &place)
                && place == spelling.count
        }

        /// The key written out.
        func spelling(in bytes: Span<UInt8>) -> [UInt8] {
            var spelling: [UInt8] = []
            for range in [target, accept, acceptEncoding, acceptLanguage] {
                spelling.append(range == nil ? Self.absent : Self.present)
                if let range { bytes.extracting(range).withUnsafeBufferPointer { spelling.append(contentsOf: $0) } }
            }
            return spelling
        }

        // Neither occurs in a target or a field's value.
        fileprivate static let present: UInt8 = 0
        fileprivate static let absent: UInt8 = 1

        private static func combine(_ range: Range<Int>?, _ bytes: Span<UInt8>, _ hasher: inout Hasher) {
            hasher.combine(range?.count ?? -1)
            if let range { bytes.extracting(range).withUnsafeBytes { hasher.combine(bytes: $0) } }
        }

        private static func follows(_ range: Range<Int>?, _ bytes: Span<UInt8>, _ spelling: Span<UInt8>, _ place: inout Int) -> Bool {
            guard place < spelling.count else { return false }
            let mark = spelling[place]
            place += 1
            guard let range else { return mark == absent }
            guard mark == present, spelling.count - place >= range.count else { return false }
            defer { place += range.count }
            return bytes.extracting(range).isEqual(to: spelling.extracting(place..<place + range.count))
        }
    }
}

extension RenderedAnswers {
    /// A key written out, of a request that was read whole.
    struct Spelling {
        let bytes: [UInt8]
        /// As the key's.
        let hash: Int

        /// Nil where one of the fields is given twice: then the head is no key.
        init?(of request: Request, seed: Int) {
            var parts: [String?] = [request.target]
            for name in Self.names {
                let values = request.fields.all(name)
                guard values.count <= 1 else { return nil }
                parts.append(values.first)
            }
            self.init(parts: parts, seed: seed)
        }

        /// - Parameter parts: the target, `Accept`, `Accept-Encoding` and `Accept-Language`.
        init(parts: [String?], seed: Int) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(160)
            var hasher = Hasher()
            hasher.combine(seed)
            for part in parts {
                guard var part else {
                    bytes.append(Key.absent)
                    hasher.combine(-1)
                    continue
                }
                bytes.append(Key.present)
                part.withUTF8 { part in
                    bytes.append(contentsOf: part)
                    hasher.combine(part.count)
                    hasher.combine(bytes: UnsafeRawBufferPointer(part))
                }
            }
            self.bytes = bytes
            hash = hasher.finalize()
        }

        /// One that is kept with an answer.
        init(bytes: [UInt8], hash: Int) {
            self.bytes = bytes
            self.hash = hash
        }

        /// A request that is spelled like this.
        var request: Request? {
            var parts: [String?] = []
            var rest = bytes[...]
            while let mark = rest.popFirst() {
                let part = rest.prefix { $0 != Key.present && $0 != Key.absent }
                rest.removeFirst(part.count)
                parts.append(mark == Key.present ? String(decoding: part, as: UTF8.self) : nil)
            }
            guard parts.count == 1 + Self.names.count, let target = parts[0] else { return nil }
            var fields = Fields()
            for (name, value) in zip(Self.names, parts.dropFirst()) {
                if let value { fields.append(name, value) }
            }
            return try? Request(.get, target, fields: fields)
        }

        private static let names = ["Accept", "Accept-Encoding", "Accept-Language"]
    }
}
