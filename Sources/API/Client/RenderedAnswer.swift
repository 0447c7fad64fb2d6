import Dispatch
import HTTP
import Shortcuts
import Synchronization

/// An answer that caches may keep, as a worker sends it and before it is bytes.
struct RenderedAnswer: Sendable {
    private let etag: EntityTag
    /// The entity tag is the first.
    private let fields: Fields
    /// How many of the fields, from the first on, a cache needs to freshen what it has (RFC 9110 section 15.4.5).
    private let validators: Int
    private let body: [UInt8]

    /// - Parameters:
    ///   - validators: the fields that a 304 has beside the entity tag.
    ///   - others: those that it has not.
    init(etag: EntityTag, validators: Fields, others: Fields, body: [UInt8]) {
        var fields: Fields = ["ETag": etag.description]
        for field in validators { fields.append(field.name, field.value) }
        self.validators = fields.count
        for field in others { fields.append(field.name, field.value) }
        self.etag = etag
        self.fields = fields
        self.body = body
    }

    /// One that is kept as bytes only; nil where it has no entity tag.
    init?(_ prepared: PreparedAnswer) {
        (fields, validators, body) = prepared.parts
        guard let etag = fields.first("ETag").flatMap({ EntityTag($0) }) else { return nil }
        self.etag = etag
    }

    /// As event loops send it.
    func prepared(for key: AnswerKey, _ resource: FetchRequest.Resource) -> PreparedAnswer {
        PreparedAnswer(prefix: key.bytes, fields: fields, validators: validators, body: body, route: resource.route)
    }

    /// 304 where the client has these bytes already; 412 where it wanted others only (RFC 9110 section 13.2.2).
    func response(to request: Request) throws(Failure) -> Response {
        let ifMatch = Precondition.ifMatch(request.fields, current: etag)
        guard ifMatch == .absent || ifMatch == .holds else {
            throw Failure(.preconditionFailed, "The entity tag is \(etag) now, which If-Match does not list. Ask again without If-Match.")
        }
        guard Precondition.ifNoneMatch(request.fields, current: etag) == .fails else {
            return Response(.ok, fields: fields, body: body)
        }
        var first = Fields()
        for field in fields.prefix(validators) { first.append(field.name, field.value) }
        return Response(.notModified, fields: first)
    }
}

/// A rendering that is under way. Who wants the same waits for it.
final class Rendering: Sendable {
    private let isDone = DispatchGroup()
    private let result = Mutex<RenderedAnswer?>(nil)

    init() {
        isDone.enter()
    }

    /// - Parameter answer: nil where there was none for all who asked alike.
    func end(_ answer: RenderedAnswer?) {
        result.withLock { $0 = answer }
        isDone.leave()
    }

    func wait() -> RenderedAnswer? {
        isDone.wait()
        return result.withLock { $0 }
    }
}
