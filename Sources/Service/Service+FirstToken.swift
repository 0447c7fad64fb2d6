import Foundation
import Shortcuts
import Storage

extension Service {
    /// With no token configured and none stored nobody could enter: one is made, and printed this once.
    package func makeFirstToken() throws(Failure) {
        guard !hasConfiguredToken, !(try store.hasTokens()) else { return }
        let now = SystemClock().now()
        let wish = TokenDocument.Wish(name: "first-token", role: .owner, scope: .all)
        let made = NewToken(wish, id: Randomness.id(), secretBytes: Randomness.bytes(32), at: now)
        let author = Author(token: "first-start", address: "local", request: Randomness.requestID(), at: now)
        try store.createToken(made.token, by: author)
        printNow("Owner token, shown this once: \(made.secret)")
    }
}

/// A result, on standard output even where that is a pipe.
func printNow(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}
