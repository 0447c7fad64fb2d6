import HTTP
import Shortcuts

/// The bytes of one representation and their entity tag, shared by every answer that sends them.
final class Representation: @unchecked Sendable {  // what may change belongs to the lock of the answers that keep it
    /// What the bytes depend on while the app stays as it is.
    struct Name: Hashable {
        /// Where this very representation can be had without negotiation.
        let location: String
        let type: String
        let wantsGzip: Bool
    }

    let name: Name
    let app: AppID
    let body: [UInt8]
    let isCompressed: Bool
    let etag: EntityTag

    /// Where the answers that send it are kept, oldest first.
    var spellings: [Int] = []
    var answersCost = 0
    var isKept = false
    var wasUsed = false

    init(_ name: Name, of app: AppID, _ plain: [UInt8]) {
        self.name = name
        self.app = app
        let compressed = name.wantsGzip ? gzip(plain) : nil
        body = compressed ?? plain
        isCompressed = compressed != nil
        etag = EntityTag(opaque: entityHash(of: body))
    }

    /// What it and its answers take in memory.
    var cost: Int { body.count + name.location.utf8.count + Self.overhead + answersCost }

    func forgetSpellings() {
        spellings = []
        answersCost = 0
    }

    /// The object, its tag, its places in the tables, and what the allocator adds.
    private static let overhead = 640
}
