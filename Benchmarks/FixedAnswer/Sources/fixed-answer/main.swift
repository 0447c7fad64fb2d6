import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix

// fixed-answer PORT FIELDS BODY: answers every GET of a menu with the field lines of one file and the bytes of another.
let arguments = CommandLine.arguments
guard arguments.count == 4, let port = Int(arguments[1]),
    let lines = FileManager.default.contents(atPath: arguments[2]), let body = FileManager.default.contents(atPath: arguments[3])
else {
    print("usage: fixed-answer PORT FIELDS BODY")
    exit(2)
}

var fields = HTTPFields()
for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
    fields.append(HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces)))
}

let router = Router()
let (head, bytes) = (fields, ByteBuffer(bytes: body))
router.get("/v1/apps/:app/versions/:version/shortcuts") { _, _ in
    Response(status: .ok, headers: head, body: ResponseBody(byteBuffer: bytes))
}
var logger = Logger(label: "fixed-answer")
logger.logLevel = .error
let application = Application(
    router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
    eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)), logger: logger)
try await application.runService()
