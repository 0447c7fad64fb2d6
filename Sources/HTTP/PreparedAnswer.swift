/// An answer as bytes, made once and sent many times. It only lacks the date and what the connection wants to say.
///
/// HEAD is answered with the same head and no body.
package final class PreparedAnswer: Sendable {
    package let status: Status
    package let body: [UInt8]
    /// The route's name, for metrics.
    package let route: String?
    private let beforeDate: [UInt8]
    private let afterDate: [UInt8]

    package init(_ status: Status, fields: Fields, body: [UInt8], route: String? = nil) {
        self.status = status
        self.body = status.isBodiless ? [] : body
        self.route = route
        beforeDate = ResponseEncoder.beforeDate(status)
        afterDate = ResponseEncoder.afterDate(status, fields, bodyCount: body.count)
    }

    package convenience init(_ response: Response, route: String? = nil) {
        self.init(response.status, fields: response.fields, body: response.body, route: route)
    }

    /// What it takes in memory, for bounding a cache.
    package var byteCount: Int { beforeDate.count + afterDate.count + body.count }

    /// Appends everything before the body. Allocates nothing while `output` has room.
    @inline(__always)
    package func appendHead(date: [UInt8], connection: ResponseEncoder.ConnectionField, to output: inout [UInt8]) {
        output.append(copying: beforeDate)
        output.append(copying: date)
        output.append(copying: afterDate)
        output.append(connection.bytes)
    }
}
