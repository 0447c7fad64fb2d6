import ArgumentParser
import Foundation
import QuickActions
import Remote

struct WebhookCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook", abstract: "List, create, test and recover webhooks. The token must be an owner's.",
        subcommands: [ListWebhooks.self, CreateWebhook.self, TestWebhook.self, RecoverWebhook.self])
}

struct ListWebhooks: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List webhooks: id, state, URL, types, apps, description.")

    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> RemoteList? { .webhooks }

    func perform(_ webhooks: RemoteList, on service: RemoteService, _ output: Output) throws {
        try output.print([webhooks], of: service, empty: "No webhooks.") { webhook in
            func list(_ name: Text, orElse all: String) -> String {
                webhook.texts(name).isEmpty ? all : webhook.texts(name).joined(separator: ",")
            }
            let reason = webhook.text("disabledReason").map { "disabled (\($0))" } ?? "disabled"
            return [
                webhook.text("id") ?? "", webhook.boolean("enabled") ?? false ? "enabled" : reason, webhook.text("url") ?? "",
                list("types", orElse: "all types"), list("apps", orElse: "all apps"), webhook.text("description") ?? "",
            ]
        }
    }
}

struct CreateWebhook: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a webhook and print its secret, which is shown only once.")

    @Argument(help: "The URL that receives the events.")
    var url: String
    @Option(name: .customLong("type"), help: "A type of events, such as shortcuts.published; may be repeated. All types by default.")
    var types: [String] = []
    @Option(name: .customLong("app"), help: "An app whose events are sent; may be repeated. All apps of the token by default.")
    var apps: [String] = []
    @Option(help: "A description for people.")
    var description: String?
    @Flag(help: "Send an event only after the previous one was delivered.")
    var ordered = false
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> JSON? {
        [
            "url": .string(url), "types": types.isEmpty ? nil : .array(types.map { .string($0) }),
            "apps": apps.isEmpty ? nil : .array(apps.map { .string($0) }), "description": description.map { .string($0) },
            "ordered": ordered ? true : nil,
        ]
    }

    func perform(_ document: JSON, on service: RemoteService, _ output: Output) throws {
        let answer = try service.createWebhook(document).json
        try output.print(answer, [answer.text("secret") ?? ""])
        if !options.json {
            printMessage((["The webhook has the id \(answer.text("id") ?? "")."] + answer.warningLines).joined(separator: "\n"))
        }
    }
}

struct TestWebhook: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send the event webhook.ping to a webhook, and print the result of the first attempt.",
        discussion: "Exits with 1 if the first attempt fails. The service repeats it like every delivery.")

    @Argument(help: "The id of the webhook, from longpress webhook list.")
    var id: String
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> String? { id }

    func perform(_ id: String, on service: RemoteService, _ output: Output) throws {
        let ping = try service.ping(id).json
        let delivery = try attempted(ping.text("id") ?? "", on: service)
        let isDelivered = delivery.text("state") == "delivered"
        try output.print(delivery, [(isDelivered ? "Delivered" : "Not delivered") + ": \(delivery.attemptWords)"] + ping.warningLines)
        if !isDelivered { throw ExitCode.failure }
    }

    /// The delivery after its first attempt, or after a minute.
    private func attempted(_ id: String, on service: RemoteService) throws(RemoteFailure) -> JSON {
        var delivery = try service.delivery(id)
        for _ in 0..<240 where delivery.elements("attempts").isEmpty && delivery.text("state") == "pending" {
            usleep(250_000)
            delivery = try service.delivery(id)
        }
        return delivery
    }
}

extension JSON {
    /// The first attempt of a delivery: `the answer was 200 after 12 ms.`
    fileprivate var attemptWords: String {
        guard let attempt = elements("attempts").first else { return "the delivery was not attempted yet. It is \(text("state") ?? "?")." }
        if let status = attempt.integer("status") { return "the answer was \(status) after \(attempt.integer("durationMs") ?? 0) ms." }
        return attempt.text("error") ?? "no answer came."
    }
}

struct RecoverWebhook: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Retry deliveries of a webhook that failed for good or are held.")

    @Argument(help: "The id of the webhook, from longpress webhook list.")
    var id: String
    @Option(help: "Only deliveries of events from this time on, such as 2026-11-23T08:00:00Z.")
    var since: String?
    @OptionGroup var options: AnswerOptions

    func request(_ read: inout ArgumentReader) -> (id: String, since: Timestamp?)? {
        (id, read.value("--since", since))
    }

    func perform(_ request: (id: String, since: Timestamp?), on service: RemoteService, _ output: Output) throws {
        let answer = try service.recover(request.id, since: request.since).json
        let count = answer.integer("recovered") ?? 0
        try output.print(answer, ["\(count) deliver\(count == 1 ? "y is" : "ies are") retried."])
    }
}
