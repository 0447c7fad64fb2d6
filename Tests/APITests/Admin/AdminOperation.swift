import HTTP
import Shortcuts
import Testing

@testable import API

/// An operation of the admin plane, as `AdminBench` executes it.
struct AdminOperation: Sendable, CustomTestStringConvertible {
    /// As in openapi.yaml.
    let name: String
    let method: HTTP.Method
    let path: String
    /// The lowest role that is authorized.
    let role: Role
    let body: String?
    let status: Int
    /// The action in the audit log; nil for an operation that changes nothing.
    let audit: AuditEntry.Action?
    /// The field If-Match, if the operation needs it.
    let ifMatch: String?
    /// A document that the operation rejects, with the code.
    let refused: (body: String, code: Failure.Code)?

    init(
        _ name: String, _ method: HTTP.Method, _ path: String, _ role: Role, _ body: String? = nil, _ status: Int = 200,
        audit: AuditEntry.Action? = nil, ifMatch: String? = nil, refusing refused: (String, Failure.Code)? = nil
    ) {
        (self.name, self.method, self.path, self.role, self.body, self.status) = (name, method, path, role, body, status)
        (self.audit, self.ifMatch, self.refused) = (audit, ifMatch, refused.map { ($0, $1) })
    }

    var testDescription: String { name }

    /// The path with one more parameter.
    func path(adding parameter: String) -> String { path + (path.contains("?") ? "&" : "?") + parameter }

    static let all = apps + releases + sets + rollouts + drafts + revisions + archive + tokens + webhooks + deliveries

    private static let apps = [
        AdminOperation("listApps", .get, "/apps", .reader),
        AdminOperation("followChanges", .get, "/stream?app={app}", .reader),
        AdminOperation(
            "putApp", .put, "/apps/{app}", .owner, #"{"defaultLanguage": "en"}"#, audit: .appUpdated,
            refusing: (#"{"defaultLanguage": 5}"#, .invalidDocument)),
        AdminOperation("getApp", .get, "/apps/{app}", .reader),
        AdminOperation(
            "patchApp", .patch, "/apps/{app}", .owner, #"{"name": "Notes 2"}"#, audit: .appUpdated,
            refusing: (#"{"defaultLanguage": null}"#, .invalidDocument)),
        AdminOperation("deleteApp", .delete, "/apps/{app}", .owner, nil, 204, audit: .appDeleted),
        AdminOperation("getIcon", .get, "/apps/{app}/icon?v=1", .reader),
        AdminOperation(
            "putIcon", .put, "/apps/{app}/icon", .owner, "{png}", audit: .appUpdated, refusing: ("GIF89a", .unsupportedMediaType)),
        AdminOperation("deleteIcon", .delete, "/apps/{app}/icon", .owner, nil, 204, audit: .appUpdated),
        AdminOperation("tapStatistics", .get, "/apps/{app}/taps", .reader),
        AdminOperation("tapRanking", .get, "/apps/{app}/taps/ranking", .reader),
        AdminOperation("previewMenu", .get, "/apps/{app}/preview?version=2.0&draft=true", .reader),
        AdminOperation("listPreviews", .get, "/apps/{app}/previews", .reader),
        AdminOperation(
            "createPreview", .post, "/apps/{app}/previews", .editor, #"{"version": "3.0", "expiresIn": "24h"}"#, 201,
            audit: .previewCreated,
            refusing: (#"{"expiresIn": "8d"}"#, .invalidDocument)),
        AdminOperation("getPreview", .get, "/apps/{app}/previews/{preview}", .reader),
        AdminOperation("deletePreview", .delete, "/apps/{app}/previews/{preview}", .editor, nil, 204, audit: .previewDeleted),
        AdminOperation("simulateUpdate", .get, "/apps/{app}/simulate?from=1.0&to=2.0&draft=true", .reader),
        AdminOperation(
            "checkRelease", .post, "/apps/{app}/check", .reader, #"{"version": "2.1"}"#, refusing: (#"{"version": 2}"#, .invalidDocument)),
    ]

    private static let releases = [
        AdminOperation("listReleases", .get, "/apps/{app}/releases", .reader),
        AdminOperation(
            "putRelease", .put, "/apps/{app}/releases/2.0", .editor, #"{"staticItems": [], "urlSchemes": []}"#, 201,
            audit: .releaseImported, refusing: ("{", .malformedJSON)),
        AdminOperation("getRelease", .get, "/apps/{app}/releases/1.0", .reader),
        AdminOperation("deleteRelease", .delete, "/apps/{app}/releases/1.0", .editor, audit: .releaseDeleted),
        AdminOperation("getStaticPropertyList", .get, "/apps/{app}/releases/1.0/static.plist", .reader),
        AdminOperation("getStaticStrings", .get, "/apps/{app}/releases/1.0/static.strings?lang=en", .reader),
    ]

    private static let menu = #"{"items": [{"id": "a", "type": "t", "title": {"en": "A"}}]}"#
    private static let badMenu = (#"{"items": [{"id": "a"}]}"#, Failure.Code.invalidDocument)

    private static let sets = [
        AdminOperation("listSets", .get, "/apps/{app}/sets", .reader),
        AdminOperation("putSet", .put, "/apps/{app}/sets/4.0", .publisher, menu, 201, audit: .setPublished, refusing: badMenu),
        AdminOperation("getSet", .get, "/apps/{app}/sets/1.0", .reader),
        AdminOperation("deleteSet", .delete, "/apps/{app}/sets/2.0", .publisher, audit: .setDeleted),
        AdminOperation(
            "patchItem", .patch, "/apps/{app}/sets/1.0/items/compose", .publisher, #"{"enabled": false}"#, audit: .setPublished,
            refusing: (#"{"title": 5}"#, .invalidDocument)),
    ]

    /// The roll-out of 8.0 runs.
    private static let rollouts = [
        AdminOperation(
            "putCandidate", .put, "/apps/{app}/sets/2.0/candidate?share=10", .publisher, menu, audit: .rolloutStarted, refusing: badMenu),
        AdminOperation("getCandidate", .get, "/apps/{app}/sets/8.0/candidate", .reader),
        AdminOperation("getRolloutResult", .get, "/apps/{app}/sets/8.0/candidate/result", .reader),
        AdminOperation(
            "patchCandidate", .patch, "/apps/{app}/sets/8.0/candidate", .publisher, #"{"share": 25}"#, audit: .rolloutChanged,
            refusing: (#"{"share": 101}"#, .invalidDocument)),
        AdminOperation("promoteCandidate", .post, "/apps/{app}/sets/8.0/candidate/promote", .publisher, audit: .rolloutPromoted),
        AdminOperation("stopCandidate", .post, "/apps/{app}/sets/8.0/candidate/stop", .publisher, audit: .rolloutStopped),
    ]

    private static let drafts = [
        AdminOperation("listDrafts", .get, "/apps/{app}/drafts", .reader),
        AdminOperation("putDraft", .put, "/apps/{app}/sets/3.0/draft", .editor, menu, audit: .draftSaved, refusing: badMenu),
        AdminOperation(
            "patchDraft", .patch, "/apps/{app}/sets/3.0/draft", .editor, #"{"fallbackURL": "notes://home"}"#, audit: .draftSaved,
            refusing: (#"{"items": 5}"#, .invalidDocument)),
        AdminOperation(
            "patchDraftItem", .patch, "/apps/{app}/sets/2.0/draft/items/compose", .editor, #"{"enabled": false}"#, 201, audit: .draftSaved,
            refusing: (#"{"title": 5}"#, .invalidDocument)),
        AdminOperation("diffDraft", .get, "/apps/{app}/sets/3.0/diff?to=draft", .reader),
        AdminOperation("getDraft", .get, "/apps/{app}/sets/3.0/draft", .reader),
        AdminOperation("deleteDraft", .delete, "/apps/{app}/sets/3.0/draft", .editor, nil, 204, audit: .draftDeleted),
        AdminOperation(
            "publishDraft", .post, "/apps/{app}/sets/3.0/publish", .publisher, audit: .setPublished,
            refusing: (#"{"at": "1999-12-31T00:00:00Z"}"#, .invalidDocument)),
        AdminOperation("getReview", .get, "/apps/{app}/sets/3.0/draft/review", .reader),
        AdminOperation(
            "requestReview", .post, "/apps/{app}/sets/3.0/draft/review", .editor, #"{"state": "requested"}"#, audit: .approvalRequested,
            refusing: (#"{"state": "approved"}"#, .invalidDocument)),
        AdminOperation("withdrawApproval", .delete, "/apps/{app}/sets/3.0/draft/approve", .publisher, nil, 204),
        AdminOperation("listSchedule", .get, "/apps/{app}/schedule", .reader),
        AdminOperation("getScheduleEntry", .get, "/apps/{app}/schedule/{entry}", .reader),
        AdminOperation("cancelScheduleEntry", .delete, "/apps/{app}/schedule/{entry}", .publisher, nil, 204, audit: .scheduleCancelled),
        AdminOperation(
            "approveDraft", .post, "/apps/{app}/sets/3.0/draft/approve", .publisher, audit: .draftApproved, ifMatch: "{draft}",
            refusing: (#"{"approve": true}"#, .invalidDocument)),
    ]

    private static let revisions = [
        AdminOperation("listRevisions", .get, "/apps/{app}/revisions", .reader),
        AdminOperation("getRevision", .get, "/apps/{app}/revisions/1", .reader),
        AdminOperation(
            "restoreRevision", .post, "/apps/{app}/revisions/1/restore", .publisher, audit: .setPublished,
            refusing: (#"{"revision": 1}"#, .invalidDocument)),
        AdminOperation("diffRevisions", .get, "/apps/{app}/diff?from=1&to=2", .reader),
    ]

    private static let archive = [
        AdminOperation(
            "applyTrees", .post, "/apply?dryRun=false", .publisher, #"{"apps": {"{app}": {"sets": {"5.0": \#(menu)}}}}"#,
            audit: .storeApplied, refusing: (#"{"apps": {"{app}": {"sets": {"5.0": {}}}}}"#, .invalidDocument)),
        AdminOperation(
            "mergeSets", .post, "/merge", .reader, #"{"base": null, "mine": {"items": []}}"#,
            refusing: (#"{"base": 1}"#, .invalidDocument)),
        AdminOperation("exportStore", .get, "/export", .owner),
        AdminOperation(
            "importStore", .post, "/import?replace=true", .owner, "{export}", audit: .storeImported, refusing: ("{}", .invalidDocument)),
        AdminOperation("listAudit", .get, "/audit", .owner), AdminOperation("search", .get, "/search?q=a", .reader),
        AdminOperation("listNodes", .get, "/nodes", .owner),
        AdminOperation("getAbout", .get, "/about", .reader),
    ]

    private static let tokens = [
        AdminOperation("listTokens", .get, "/tokens", .owner),
        AdminOperation(
            "createToken", .post, "/tokens", .owner, #"{"name": "ci", "role": "editor"}"#, 201, audit: .tokenCreated,
            refusing: (#"{"name": "ci", "role": "king"}"#, .invalidDocument)),
        AdminOperation("deleteToken", .delete, "/tokens/{token}", .owner, nil, 204, audit: .tokenRevoked),
    ]

    private static let webhooks = [
        AdminOperation("listWebhooks", .get, "/webhooks", .owner),
        AdminOperation(
            "createWebhook", .post, "/webhooks", .owner, #"{"url": "https://hooks.example.com/b"}"#, 201, audit: .webhookCreated,
            refusing: (#"{"url": "http://169.254.169.254/"}"#, .invalidDocument)),
        AdminOperation("getWebhook", .get, "/webhooks/{webhook}", .owner),
        AdminOperation(
            "patchWebhook", .patch, "/webhooks/{webhook}", .owner, #"{"description": "CDN"}"#, audit: .webhookUpdated,
            refusing: (#"{"url": null}"#, .invalidDocument)),
        AdminOperation("deleteWebhook", .delete, "/webhooks/{webhook}", .owner, nil, 204, audit: .webhookDeleted),
        AdminOperation(
            "pingWebhook", .post, "/webhooks/{webhook}/ping", .owner, nil, 202, audit: .webhookPinged,
            refusing: (#"{"text": "ping"}"#, .invalidDocument)),
    ]

    private static let deliveries = [
        AdminOperation("listDeliveries", .get, "/webhooks/{webhook}/deliveries", .owner),
        AdminOperation("getDelivery", .get, "/deliveries/{delivery}", .owner),
        AdminOperation(
            "resendDelivery", .post, "/deliveries/{delivery}/resend", .owner, nil, 202, audit: .deliveryResent,
            refusing: (#"{"again": true}"#, .invalidDocument)),
        AdminOperation(
            "recoverWebhook", .post, "/webhooks/{webhook}/recover", .owner, nil, 202, audit: .webhookRecovered,
            refusing: (#"{"since": "yesterday"}"#, .invalidDocument)),
        AdminOperation(
            "skipHeldDeliveries", .post, "/webhooks/{webhook}/skip", .owner, nil, 202, audit: .webhookSkipped,
            refusing: (#"{"all": true}"#, .invalidDocument)),
        AdminOperation(
            "rotateWebhookSecret", .post, "/webhooks/{webhook}/rotate-secret", .owner, #"{"overlap": "1h"}"#, audit: .webhookSecretRotated,
            refusing: (#"{"overlap": "long"}"#, .invalidDocument)),
    ]
}
