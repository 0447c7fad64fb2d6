import HTTP
import Shortcuts
import Synchronization

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
    /// Fetches since eviction last looked at it, as far as they tell it from others.
    private let uses = Atomic<Int>(0)

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

    private static let mostUses = 3

    /// Called by event loops at once, without the lock. What is used all the time is not written all the time; a use that two
    /// loops count as one matters to nobody.
    @inline(__always)
    func noteUse() {
        let count = uses.load(ordering: .relaxed)
        if count < Self.mostUses { uses.store(count &+ 1, ordering: .relaxed) }
    }

    /// Whether there was a use to take off.
    func takeUse() -> Bool {
        let count = uses.load(ordering: .relaxed)
        guard count > 0 else { return false }
        uses.store(count - 1, ordering: .relaxed)
        return true
    }

    func forgetSpellings() {
        spellings = []
        answersCost = 0
    }

    /// The object, its tag, its places in the tables, and what the allocator adds.
    private static let overhead = 640
}
