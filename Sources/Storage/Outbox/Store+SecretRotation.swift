import QuickActions
import SQL
import Shortcuts

extension Store {
    package func rotateSecret(
        of endpoint: EndpointID, to secret: String, previousExpiresAt end: Timestamp, by author: Author
    ) throws(Failure) {
        try write { transaction throws(Failure) in
            let keepsFormer = end > author.at
            let rotated = try transaction.connection.requireEndpoint(endpoint)
            var changed = rotated
            changed.secrets.current = secret
            let stored = try sealed(changed, transaction.connection).secrets.current
            try transaction.connection.enqueue(
                """
                UPDATE endpoints SET previous_secret = CASE WHEN ? = 1 THEN secret ELSE NULL END,
                    previous_secret_expires_at = ?, secret = ? WHERE id = ?
                """, [SQLValue(keepsFormer), SQLValue(keepsFormer ? end : nil), .text(stored), SQLValue(endpoint)])
            transaction.effects.changedEndpoints.insert(endpoint)
            try transaction.log(AuditEntry(author: author, action: .webhookSecretRotated, target: .webhook(rotated)))
        }
    }
}
