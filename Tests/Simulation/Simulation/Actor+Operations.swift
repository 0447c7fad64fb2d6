import HTTP
import HTTPServer
import QuickActions
import SimulationKernel

/// Owners and operators: imports, new secrets of webhooks, and deliveries that are sent again.
extension Actor {
    /// Imports the export of an app under another name. Afterwards the copy has its revisions.
    mutating func importApp() {
        let source = place().app, copy = "com.example.i\(step.number)"
        guard let node = node(), let export = world.request(node, "GET", "/admin/v1/export?app=\(source)"), export.status == 200,
            let newest = export.json?.list("apps").first?.integer("lastRevision"), newest > 0
        else { return }
        let body = export.text.replacing(source, with: copy)
        guard let exchange = persist("POST", "/admin/v1/import", body: body, times: 1) else { return }
        guard exchange.status == 200 else {
            world.fail("refusals", "an import of \(source) as \(copy) is \(exchange.status): \(exchange.text)")
        }
        book.imported[copy] = newest
        for _ in 0..<2 {
            guard let node = self.node(),
                let list = world.request(node, "GET", "/admin/v1/apps/\(copy)/revisions?limit=1"), list.status < 500
            else { continue }
            if list.json?.list("items").first?.integer("revision") ?? 0 < newest {
                world.fail("acknowledged writes", "\(node.name) does not have the import of \(copy): \(list.text)")
            }
        }
    }

    /// A new secret, with an overlap that outlasts the run. Once a webhook, because an unanswered request may have made a secret.
    mutating func rotate() {
        let webhooks = book.webhooks.sorted { $0.key < $1.key }.filter { !$0.value.isRotated }
        guard !webhooks.isEmpty else { return }
        let (id, consumer) = random.pick(webhooks)
        consumer.isRotated = true
        guard let exchange = persist("POST", "/admin/v1/webhooks/\(id)/rotate-secret", body: #"{"overlap": "24h"}"#, times: 1),
            exchange.status == 200, let secret = exchange.json?.string("secret")
        else { return }
        consumer.secrets.append((secret, exchange.endedAt))
    }

    /// Sends a delivered event again.
    mutating func resend() {
        let webhooks = book.webhooks.sorted { $0.key < $1.key }.filter { !book.isOrdered($0.value) }
        guard !webhooks.isEmpty, let node = node() else { return }
        let (id, consumer) = random.pick(webhooks)
        guard let list = world.request(node, "GET", "/admin/v1/webhooks/\(id)/deliveries?state=delivered&limit=20"), list.status == 200,
            let items = list.json?.list("items"), !items.isEmpty
        else { return }
        let item = random.pick(items)
        guard let delivery = item.string("id"), let event = item.string("webhookId") else { return }
        consumer.resent.insert(event)
        // Perhaps again during the attempt, which then makes another one.
        for _ in 0..<1 + random.below(3) {
            let askedAt = world.server.milliseconds
            guard let exchange = persist("POST", "/admin/v1/deliveries/\(delivery)/resend", times: 1), exchange.status < 300 else { return }
            book.resends.append((delivery, askedAt))
            Kernel.sleep(random.range(0...50 * millisecond))
        }
    }
}
