import Testing

@testable import HTTP

@Suite struct EncoderTests {
    /// The fields that every head has.
    private let own = "X-Content-Type-Options: nosniff\r\nX-Request-ID: I\r\n"

    private func head(_ response: Response, _ connection: ResponseEncoder.ConnectionField = .absent) -> String {
        var bytes: [UInt8] = []
        ResponseEncoder.appendHead(of: response, id: "I", date: Array("D".utf8), connection: connection, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `writes a head`() {
        let response = Response(.ok, fields: ["X": "y"], body: [1, 2, 3])
        #expect(head(response) == "HTTP/1.1 200 OK\r\n\(own)Date: D\r\nX: y\r\nContent-Length: 3\r\n\r\n")
        #expect(head(response, .close).hasSuffix("Content-Length: 3\r\nConnection: close\r\n\r\n"))
        #expect(head(Response(.noContent, body: [1])) == "HTTP/1.1 204 No Content\r\n\(own)Date: D\r\n\r\n")
        #expect(head(Response(.notModified)) == "HTTP/1.1 304 Not Modified\r\n\(own)Date: D\r\n\r\n")
        #expect(head(Response(Status(299))) == "HTTP/1.1 299 \r\n\(own)Date: D\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `no value can inject a line`() {
        let said = head(
            Response(
                Status(200, reason: "O\r\nK"),
                fields: [
                    "X": "a\r\nSet-Cookie: b\0", "Y\r\nZ": "c", "": "d", "content-length": "9", "Date": "x", "Connection": "close",
                    "x-content-type-options": "sniff", "X-Request-ID": "x",
                ]))
        #expect(said == "HTTP/1.1 200 O  K\r\n\(own)Date: D\r\nX: a  Set-Cookie: b \r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `a prepared answer is the same bytes`() {
        let response = Response(.ok, fields: ["ETag": "\"1\""], body: Array("hi".utf8))
        var bytes: [UInt8] = []
        let prepared = PreparedAnswer(prefix: [1, 2], fields: response.fields, validators: 1, body: response.body)
        prepared.appendHead(id: Array("I".utf8), date: Array("D".utf8), connection: .keepAlive, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == head(response, .keepAlive))
        #expect(prepared.body == response.body[...] && prepared.bytes[prepared.layout.prefix] == [1, 2])
        let unpacked = Response(prepared).unpacked
        #expect(unpacked.status == .ok && unpacked.fields == response.fields && unpacked.body == response.body)
        let notModified = Response(prepared.notModified).unpacked
        #expect(notModified.status == .notModified && notModified.fields == response.fields && notModified.body.isEmpty)
    }

    @Test func `a refusal is problem details`() {
        let response = Response.refusing(.badRequest("a \"b\" \\ \n"), instance: "00ff")
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"{"type":"/problems/bad-request","title":"The request cannot be read","status":400,"detail":"a \"b\" \\ \n","instance":"00ff","violations":[]}"#
                + "\n"
        )
        #expect(response.closesConnection && response.fields.first("content-type") == "application/problem+json")
    }

    @Test func `byte classes are what the RFCs list`() {
        let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        let subDelimiters = "!$&'()*+,;="
        for (byteClass, members) in [
            (ByteClass.token, alphanumeric + "!#$%&'*+-.^_`|~"), (.path, alphanumeric + "-._~%:@/" + subDelimiters),
            (.query, alphanumeric + "-._~%:@/?" + subDelimiters), (.registeredName, alphanumeric + "-._~%" + subDelimiters),
            (.hexadecimal, "0123456789abcdefABCDEF"), (.digit, "0123456789"), (.ipv6, "0123456789abcdefABCDEF:."),
        ] {
            let expected = Set(members.utf8)
            for byte in UInt8.min ... .max { #expect(byteClass.contains(byte) == expected.contains(byte)) }
        }
    }

    @Test func `field names are case-insensitive`() {
        var fields: Fields = ["Accept": "a, \"b, c\" ,,d", "X": "1"]
        fields.append("ACCEPT", "e")
        #expect([UInt8].elements(of: fields.combined("accept") ?? "") == ["a", "\"b, c\"", "d", "e"])
        #expect(fields.combined("accept") == "a, \"b, c\" ,,d, e" && fields.combined("y") == nil)
        fields.set("x", "2")
        #expect(fields.all("X") == ["2"] && fields.count == 3)
    }
}
