import HTTP
import QuickActions
import Shortcuts

extension Fields {
    /// - Parameter tag: what stands between the quotes of the entity tag: of a set its revision.
    static func tagged(_ tag: String) -> Fields {
        var fields = Fields()
        fields.append("ETag", EntityTag(opaque: tag).description)
        return fields
    }
}

extension Response {
    static var noContent: Response { Response(.noContent, fields: Fields(), body: []) }

    /// What every publish answers alike: PUT, PATCH of an item and DELETE of a set, a draft's publish, a restore.
    static func published(_ receipt: PublishReceipt, status: Status = .ok) -> Response {
        let body: JSON = ["revision": .integer(receipt.revision), "warnings": .array(receipt.warnings.map(\.json))]
        return .json(body, status: status, fields: .tagged(String(receipt.revision)))
    }

    static func list<Element>(_ page: Page<Element>, _ json: (Element) -> JSON) -> Response {
        .json(["items": .array(page.items.map(json)), "next": .optional(page.next)])
    }
}
