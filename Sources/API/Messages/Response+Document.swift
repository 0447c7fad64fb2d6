import HTTP
import QuickActions
import Shortcuts

extension Response {
    /// A response that caches must not store. Only the client plane's answers are cacheable.
    static func document(_ bytes: [UInt8], type: String, status: Status = .ok, fields: Fields = Fields()) -> Response {
        var fields = fields
        fields.append("Content-Type", type)
        fields.append("Cache-Control", "no-store")
        return Response(status, fields: fields, body: bytes)
    }

    /// Ends with a line feed, so that a shell's prompt starts on a new line.
    static func json(_ json: JSON, status: Status = .ok, fields: Fields = Fields()) -> Response {
        .document(json.encodedLine, type: "application/json", status: status, fields: fields)
    }
}
