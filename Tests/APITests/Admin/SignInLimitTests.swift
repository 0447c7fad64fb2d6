import HTTP
import QuickActions
import Shortcuts
import Testing

@testable import API

@Suite struct SignInLimitTests {
    private let limit = SignInLimit()

    /// - Returns: nil if the attempt was admitted, else the seconds until one is.
    private func fail(_ address: String = "192.0.2.1", at seconds: Int64, _ code: Failure.Code = .unauthenticated) -> Int? {
        do throws(Failure) {
            let time = Timestamp(milliseconds: seconds * 1000)
            try limit.attempt(from: Sender(address: address), at: time) { () throws(Failure) in throw Failure(code, "") }
            return nil
        } catch {
            return error.code == .tooManyRequests ? error.retryAfter : nil
        }
    }

    @Test func `ten may fail within any minute`() {
        for second in 0..<10 { #expect(fail(at: Int64(second * 5)) == nil) }
        #expect(fail(at: 50) == 10)
        #expect(fail(at: 59) == 1)
        // The first attempt is over a minute old; rejected ones do not count.
        #expect(fail(at: 60) == nil)
        #expect(fail(at: 61) == 4)
    }

    @Test(arguments: [Failure.Code.storageUnavailable, .internalError])
    func `only a wrong token counts`(_ code: Failure.Code) throws {
        for _ in 0..<20 { #expect(fail(at: 0, code) == nil) }
        for _ in 0..<20 { try limit.attempt(from: Sender(address: "192.0.2.1"), at: Timestamp(milliseconds: 0)) { () throws(Failure) in } }
        for _ in 0..<10 { #expect(fail(at: 0) == nil) }
        #expect(fail(at: 0) == 60)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2", false), ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true),
    ]) func `counts one IPv4 address, or one network of IPv6`(_ one: String, _ other: String, _ isSame: Bool) {
        for _ in 0..<10 { _ = fail(one, at: 0) }
        #expect((fail(other, at: 0) != nil) == isSame)
    }

    @Test func `a right token is never told to wait, and failures go on counting`() throws {
        for _ in 0..<10 { _ = fail(at: 0) }
        try limit.attempt(from: Sender(address: "192.0.2.1"), at: Timestamp(milliseconds: 0)) { () throws(Failure) in }
        #expect(fail(at: 0) == 60)
    }

    @Test func `attempts at the same time cannot exceed the limit`() async {
        let tried = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { fail(at: 0) == nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(tried == 10)
    }
}
