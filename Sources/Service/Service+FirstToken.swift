import Files
import Foundation
import Shortcuts
import Storage

extension Service {
    /// Creates and prints an owner token if none is configured and none stored.
    ///
    /// It is printed before it is stored: after a crash between the two the next start creates another one. In the other order a stored
    /// token would be left that nobody has seen, and no later start would create one.
    func makeFirstToken() throws {
        guard !hasConfiguredToken, !(try store.hasTokens()) else { return }
        let now = store.clock.now()
        let input = TokenRequest(name: "first-token", role: .owner, scope: .all)
        let made = NewToken(input, id: TokenID(Randomness.id()), secretBytes: Randomness.bytes(32), at: now)
        let author = Author(token: "first-start", address: "local", request: Randomness.requestID(), at: now)
        try Terminal.print("Owner token, shown this once: \(made.secret)")
        guard try !store.createFirstToken(made.token, by: author) else { return }
        try Terminal.print("That token was not stored: another node has made the first one at the same time and printed it.")
    }
}
