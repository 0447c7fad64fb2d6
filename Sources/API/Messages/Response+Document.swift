import HTTP
import QuickActions
import Shortcuts

extension Response {
    /// What no cache keeps: everything but the client plane's own answers.
    static func document(_ bytes: [UInt8], type: String, status: Status = .ok, fields: Fields = Fields()) -> Response {
        var fields = fields
        fields.append("Content-Type", type)
        fields.append("Cache-Control", "no-store")
        return Response(status, fields: fields, body: bytes)
    }

    /// Ends with a line feed, so that a shell's prompt begins a line of its own behind it.
    static func json(_ json: JSON, status: Status = .ok, fields: Fields = Fields()) -> Response {
        .document(json.encodedLine, type: "application/json", status: status, fields: fields)
    }
}
