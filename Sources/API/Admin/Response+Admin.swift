import HTTP
import QuickActions
import Shortcuts

extension Fields {
    /// - Parameter tag: the entity tag without its quotes: for a set its revision.
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

    /// The answer to a publish or a restore at a time: the entry of the schedule.
    static func scheduled(_ entry: ScheduleEntry) -> Response { .json(entry.json, status: .accepted) }

    static func list<Element>(_ page: Page<Element>, _ json: (Element) -> JSON) -> Response {
        .json(["items": .array(page.items.map(json)), "next": .optional(page.next)])
    }
}
