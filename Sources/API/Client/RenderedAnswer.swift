import Dispatch
import HTTP
import Shortcuts
import Synchronization

/// A cacheable answer as fields and body, before it is encoded.
struct RenderedAnswer: Sendable {
    private let etag: EntityTag
    /// The entity tag is the first.
    private let fields: Fields
    /// The number of fields, from the first on, that the 304 also has (RFC 9110 section 15.4.5).
    private let validators: Int
    private let body: [UInt8]

    /// - Parameters:
    ///   - validators: the fields that a 304 has beside the entity tag.
    ///   - others: the fields that only the 200 has.
    init(etag: EntityTag, validators: Fields, others: Fields, body: [UInt8]) {
        var fields: Fields = ["ETag": etag.description]
        for field in validators { fields.append(field.name, field.value) }
        self.validators = fields.count
        for field in others { fields.append(field.name, field.value) }
        self.etag = etag
        self.fields = fields
        self.body = body
    }

    /// Decodes an encoded answer; nil if it has no entity tag.
    init?(_ prepared: PreparedAnswer) {
        (fields, validators, body) = prepared.parts
        guard let etag = fields.first("ETag").flatMap({ EntityTag($0) }) else { return nil }
        self.etag = etag
    }

    /// Encodes the answer, with the key as prefix.
    func prepared(for key: AnswerKey, _ resource: FetchRequest.Resource) -> PreparedAnswer {
        PreparedAnswer(prefix: key.bytes, fields: fields, validators: validators, body: body, route: resource.route)
    }

    /// Evaluates the preconditions: 412 if `If-Match` fails, 304 if `If-None-Match` does (RFC 9110 section 13.2.2).
    func response(to request: Request) throws(Failure) -> Response {
        guard Precondition.ifMatch(request.fields, current: etag).allows else {
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

/// A rendering in progress, for whose answer other workers wait.
final class Rendering: Sendable {
    private let isDone = DispatchGroup()
    private let ending = Mutex(Ending.own)

    /// What those get who waited for it.
    enum Ending: Sendable {
        case answer(RenderedAnswer)
        case failure(Failure)
        /// Each renders for itself.
        case own
    }

    init() {
        isDone.enter()
    }

    func end(_ ending: Ending) {
        self.ending.withLock { $0 = ending }
        isDone.leave()
    }

    /// Waits for `end`.
    func wait() -> Ending {
        isDone.wait()
        return ending.withLock { $0 }
    }
}
