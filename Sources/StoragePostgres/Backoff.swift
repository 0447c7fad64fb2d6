import Glibc

/// The pause before a transaction is run again: random, so that those who collided do not collide again.
enum Backoff {
    static func sleep() {
        usleep(UInt32.random(in: 5_000...50_000))
    }

    /// While a commit of this process is about to end.
    static func sleepBriefly() {
        usleep(1_000)
    }
}

/// Text by which a commit is found again whose answer was lost.
enum ChangeToken {
    static func random() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
