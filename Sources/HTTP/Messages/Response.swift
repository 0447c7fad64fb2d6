/// An answer, whole. The encoder adds `Date`, `Content-Length` and `Connection`; those three and `Transfer-Encoding` are
/// its own and are left out where `fields` has them.
package struct Response: Sendable {
    package var status: Status
    package var fields: Fields
    package var body: [UInt8]
    /// Whether the connection is closed once this is sent.
    package var closesConnection: Bool
    /// Of a problem: what is said of it where it is not sent.
    package var refusal: Refusal?

    package init(_ status: Status, fields: Fields = [:], body: [UInt8] = [], closesConnection: Bool = false) {
        self.status = status
        self.fields = fields
        self.body = body
        self.closesConnection = closesConnection
    }
}
