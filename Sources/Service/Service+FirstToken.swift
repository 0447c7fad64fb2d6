import Foundation
import Shortcuts
import Storage

extension Service {
    /// With no token configured and none stored nobody could enter: one is made and printed.
    ///
    /// It is printed before it is stored. A power cut between the two leaves a line that opens nothing, and the next start makes
    /// and prints another; the other way round it would leave a token that nobody has ever seen, and no later start makes one.
    func makeFirstToken() throws {
        guard !hasConfiguredToken, !(try store.hasTokens()) else { return }
        let now = SystemClock().now()
        let wish = TokenDocument.Wish(name: "first-token", role: .owner, scope: .all)
        let made = NewToken(wish, id: TokenID(Randomness.id()), secretBytes: Randomness.bytes(32), at: now)
        let author = Author(token: "first-start", address: "local", request: Randomness.requestID(), at: now)
        try Terminal.print("Owner token, shown this once: \(made.secret)")
        try store.createToken(made.token, by: author)
    }
}
