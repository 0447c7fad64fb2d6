import Testing

@testable import LongpressKit

private final class Object {}

private func tap(_ type: String, _ n: Int64 = 0) -> QuickActionTap { QuickActionTap(type: type, userInfo: ["n": .integer(n)]) }

@Suite struct TapInboxTests {
    @Test func `a cold tap is one, however often its connection hands it over`() {
        var inbox = TapInbox()
        let object = Object()
        let (first, second) = (tap("a"), tap("a"))
        let seen = [
            inbox.isNew(first, object, by: .connecting(session: "1")), inbox.isNew(first, object, by: .connecting(session: "1")),
            inbox.isNew(second, Object(), by: .connecting(session: "1")), inbox.isNew(second, Object(), by: .performing),
            inbox.isNew(first, object, by: .performing),
        ]
        #expect(seen == [true, false, false, false, false])
    }

    @Test func `an equal tap is another one once the scene has been active, disconnected, or is another scene`() {
        var inbox = TapInbox()
        var seen = [inbox.isNew(tap("a"), Object(), by: .connecting(session: "1"))]
        inbox.activated(session: "1")
        seen.append(inbox.isNew(tap("a"), Object(), by: .performing))
        seen.append(inbox.isNew(tap("a"), Object(), by: .performing))
        inbox.disconnected(session: "1")
        seen.append(inbox.isNew(tap("a"), Object(), by: .connecting(session: "1")))
        seen.append(inbox.isNew(tap("a"), Object(), by: .connecting(session: "2")))
        seen.append(inbox.isNew(tap("a", 1), Object(), by: .connecting(session: "2")))
        #expect(seen == [true, true, true, true, true, true])
    }

    @Test func `a warm tap through two delegates is one`() {
        var inbox = TapInbox()
        let object = Object()
        let seen = [inbox.isNew(tap("a"), object, by: .performing), inbox.isNew(tap("a"), object, by: .performing)]
        #expect(seen == [true, false])
    }

    @Test func `an object that was performed is the same tap where another scene connects with it`() {
        var inbox = TapInbox()
        let object = Object()
        let seen = [
            inbox.isNew(tap("a"), object, by: .performing), inbox.isNew(tap("a"), object, by: .connecting(session: "1")),
            inbox.isNew(tap("a"), object, by: .connecting(session: "2")),
        ]
        #expect(seen == [true, false, false])
    }

    @Test func `no later object is taken for one of before`() {
        var inbox = TapInbox()
        // Objects that the inbox does not retain are freed at once, so their addresses are reused.
        let new = (0..<10_000).filter { _ in inbox.isNew(tap("a"), Object(), by: .performing) }.count
        #expect(new == 10_000)
    }
}
