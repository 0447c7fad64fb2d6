import HTTP
import QuickActions
import Shortcuts

extension Fields {
    /// - Parameter tag: the entity tag without its quotes. For a set, it is the revision.
    static func tagged(_ tag: String) -> Fields {
        ["ETag": EntityTag(opaque: tag).description]
    }
}

extension Response {
    static var noContent: Response { Response(.noContent) }

    /// The answer to each way of publishing: PUT, PATCH of an item and DELETE of a set, publishing a draft, restoring a revision.
    static func published(_ receipt: PublishReceipt, status: Status = .ok) -> Response {
        let body: JSON = ["revision": .integer(receipt.revision), "warnings": .array(receipt.warnings.map(\.json))]
        return .json(body, status: status, fields: .tagged(String(receipt.revision)))
    }

    /// The answer to a scheduled publish or restore: the entry of the schedule.
    static func scheduled(_ entry: ScheduleEntry) -> Response { .json(entry.json, status: .accepted) }

    /// The largest size of the items on one page, in bytes.
    static let pageBytes = 1 << 20

    static func list<Element>(_ page: Page<Element>, _ json: (Element) -> JSON) -> Response {
        var list = ListWriter()
        list.append(page, from: nil, json)
        return list.response
    }

    /// A page of a list with possibly large rows: at most 16 of them are in memory.
    static func list<Element>(
        _ request: PageRequest, read: (PageRequest) throws(Failure) -> Page<Element>, _ json: (Element) -> JSON
    ) throws(Failure) -> Response {
        var list = ListWriter()
        list.next = request.cursor
        repeat {
            let part = PageRequest(limit: min(16, request.limit - list.count), cursor: list.next)
            list.append(try read(part), from: part.cursor, json)
        } while !list.isFull && list.count < request.limit && list.next != nil
        return list.response
    }
}

/// Writes a page of a list: items up to `Response.pageBytes`, but at least one.
private struct ListWriter {
    private var body = Array(#"{"items":["#.utf8)
    private var bytes = 0
    private(set) var count = 0
    private(set) var isFull = false
    /// The cursor of the next page; nil after the last item.
    var next: String?

    /// - Parameter cursor: the cursor of this page.
    mutating func append<Element>(_ page: Page<Element>, from cursor: String?, _ json: (Element) -> JSON) {
        next = page.next
        for (index, item) in page.items.enumerated() {
            let encoded = json(item).encoded
            guard count == 0 || bytes + encoded.count <= Response.pageBytes else {
                isFull = true
                next = index == 0 ? cursor : page.cursor(behind: index - 1)
                return
            }
            if count > 0 { body.append(UInt8(ascii: ",")) }
            body += encoded
            bytes += encoded.count
            count += 1
        }
    }

    /// Ends with a line feed, like `Response.json`.
    var response: Response {
        .document(body + Array(#"],"next":"#.utf8) + JSON.optional(next).encoded + Array("}\n".utf8), type: "application/json")
    }
}
