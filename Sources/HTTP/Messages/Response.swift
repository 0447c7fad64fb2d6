/// An answer. `Date`, `Content-Length` and `Connection` are the server's to add.
package struct Response: Sendable {
    package let status: Status
    package var fields: Fields
    package let body: [UInt8]

    package init(status: Status, fields: Fields = Fields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
