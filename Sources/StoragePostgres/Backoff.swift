import Glibc

/// The pause before a transaction is repeated. It is random, so that transactions that collided do not collide again.
enum Backoff {
    static func sleep() {
        usleep(UInt32.random(in: 5_000...50_000))
    }

    /// For a commit of this process that is about to end.
    static func sleepBriefly() {
        usleep(1_000)
    }
}

/// A random token that identifies a commit whose answer was lost.
enum ChangeToken {
    static func random() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
