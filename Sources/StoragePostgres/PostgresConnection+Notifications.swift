import CPQ
import Glibc
import Shortcuts

extension PostgresConnection {
    /// Waits until `limit`, or until the socket can be read.
    /// - Returns: whether a notification has arrived since the last call.
    func waitForNotification(until limit: ContinuousClock.Instant) throws(Failure) -> Bool {
        deadline = limit
        if takeNotifications() { return true }
        guard SocketWait.wait(for: Int16(POLLIN), on: socket, until: limit) != 0 else { return false }
        guard PQconsumeInput(handle) == 1 else { throw fail(.lost(message)) }
        return takeNotifications()
    }

    private func takeNotifications() -> Bool {
        var isNotified = false
        while let notification = PQnotifies(handle) {
            PQfreemem(notification)
            isNotified = true
        }
        return isNotified
    }
}
