/**
 * The documents of the admin API as the console reads and writes them, by their names in openapi.yaml, with the members that it uses.
 * Nothing here is served: these are names for the type checker.
 *
 * @typedef {Record<string, string>} Texts by language tag
 * @typedef {{symbol?: string, file?: string, type?: string}} Icon
 * @typedef {{id: string, type: string, title: Texts, subtitle?: Texts, icon?: Icon, url?: string, userInfo?: Record<string, any>,
 *   targetContentIdentifier?: string, enabled?: boolean, replaces?: string[], personal?: Personal}} ShortcutItem
 * @typedef {{source: string, limit?: number, sample?: Record<string, string>}} Personal
 * @typedef {{id: string, url?: string}} RetiredItem
 * @typedef {{items: ShortcutItem[], retired?: RetiredItem[], fallbackURL?: string}} ShortcutSet
 *
 * @typedef {{app: string, name: string | null, defaultLanguage: string, fallbackURL: string | null, approvals: number,
 *   languages: string[], icon: string | null}} App `icon`: the picture's entity tag
 * @typedef {App & {taps: number, attention: Record<string, number>}} AppSummary
 * @typedef {{version: string, audience: string, revision: number, publishedAt: string, by: string,
 *   rollout?: {id: string, share: number, revision: number}}} SetSummary
 * @typedef {{token: string, owner: string, at: string}} DraftApproval
 * @typedef {"editing" | "requested" | "changes" | "approved"} ReviewState
 * @typedef {{state: ReviewState, comment: string | null, by: string | null, at: string | null}} ReviewSummary
 * @typedef {ReviewSummary & {approvals: DraftApproval[], required: number, savedBy: string, savedAt: string, mayApprove: string[],
 *   incomplete: boolean, comments: ReviewComment[]}} DraftReview
 * @typedef {{by: string, at: string, comment: string}} ReviewComment
 * @typedef {{version: string, audience: string, savedAt: string, by: string, approvals: DraftApproval[], incomplete: boolean,
 *   review: ReviewSummary}} DraftSummary
 * @typedef {{id: string, at: string, kind: ScheduledKind, version: string, audience: string, revision: number | null,
 *   by: string, message?: string, set: ShortcutSet | null, follows?: string, expectedRevision?: number, rollout?: string,
 *   share?: number}} ScheduleEntry
 * @typedef {"publish" | "restore" | "delete" | "share" | "promote" | "stop"} ScheduledKind
 * @typedef {{id: string, version: string | null, audience: string | null, expiresAt: string, createdBy: string,
 *   createdAt: string}} PreviewLink
 * @typedef {PreviewLink & {token: string, link: string | null}} NewPreviewLink
 * @typedef {{revision: number, kind: "published" | "deleted" | "candidate", version: string, audience: string, publishedAt: string, by: string,
 *   message?: string, importedBy?: string, set: ShortcutSet | null}} Revision
 *
 * @typedef {{type: string, title: string, subtitle?: string | null, icon?: Icon | null}} StaticItem
 * @typedef {{images?: string[], symbols?: string[]}} Assets
 * @typedef {{version: string, build: string | null, staticItems: StaticItem[], urlSchemes: string[], assets: Assets | null,
 *   minimumOSVersion: string | null, displayName: string | null}} Release
 *
 * @typedef {"current" | "equivalent" | "changed" | "replaced" | "retired" | "removed" | "static" | "untagged" | "unknown"} Outcome
 * @typedef {{outcome: Outcome, item: string | null, url: string | null, plan?: ScheduleEntry}} SimulatedTap `plan`: the console's own member,
 *   the scheduled menu that decides a lost tap
 * @typedef {{kind: "static" | "dynamic", id: string | null, type: string, title: string, subtitle?: string, visible: boolean,
 *   tap: SimulatedTap}} SimulatedItem
 * @typedef {{menu: SimulatedItem[], hidden: SimulatedItem[], added: string[], removed: string[], changed: string[]}} MenuAfterLaunch
 * @typedef {{from: string, to: string, audience: string, language: string, menu: SimulatedItem[], hidden: SimulatedItem[],
 *   afterLaunch: MenuAfterLaunch}} Simulation
 * @typedef {{item: string | null, tagVersion: string | null, version: string | null, outcome: Outcome, count: number}} TapCount
 * @typedef {{since: string, outcomes: Record<Outcome, number>, resolved: Partial<Record<Outcome, number>>,
 *   reported: Partial<Record<Outcome, number>>, items: TapCount[],
 *   buckets?: {since: string, outcomes: Record<Outcome, number>}[]}} TapStatistics
 * @typedef {{item: string, count: number, lost: number, outcomes: Partial<Record<Outcome, number>>,
 *   versions: Record<string, number>, byDay: number[]}} RankedItem
 * @typedef {{since: string, days: number, items: RankedItem[], other: number}} TapRanking
 *
 * @typedef {{lost?: number, worse?: number}} RolloutGuard limits in percent
 * @typedef {{share: number, steps?: {at: string, share: number}[], guard?: RolloutGuard}} RolloutPlan shares in percent
 * @typedef {{id: string, share: number, revision: number, startedAt: string, by: string, set: ShortcutSet, guard?: RolloutGuard,
 *   scheduled?: {id: string, at: string, kind: ScheduledKind, share?: number}[]}} Candidate
 * @typedef {{estimate?: number, lower?: number, upper?: number}} Estimate a number and its interval, each absent if unknown
 * @typedef {Estimate & {at: string, firstTaps: number}} Look
 * @typedef {"candidate" | "control"} Arm
 * @typedef {{id: string, share: number, revision: number, startedAt: string, endedAt?: string,
 *   endedBy?: string, end?: "promoted" | "stopped" | "replaced" | "lost" | "worse", summary: string,
 *   firstTaps: {candidate: number, control: number, lost: number}, ratio: Estimate, lost: Estimate, guard?: RolloutGuard,
 *   history: Look[], items: {arm: Arm, item: string | null, outcome: Outcome, count: number}[]}} RolloutResult
 *
 * @typedef {{in: "app" | "set" | "draft", app: string, name: string | null, version: string, audience: string, item: string | null,
 *   member: string, text: string}} SearchHit
 *
 * @typedef {{path: string, code?: string, message: string, name?: string}} Violation
 * @typedef {{path: string, code?: string, message: string, name?: string, new?: boolean}} Warning
 * @typedef {{type?: string, title?: string, detail?: string, instance?: string, violations?: Violation[]}} ProblemDocument
 *
 * @typedef {"reader" | "editor" | "publisher" | "owner"} Role
 * @typedef {{name: string, owner: string, role: Role, apps: string[] | null, expiresAt: string}} Session
 * @typedef {{id: string, name: string, owner: string, role: Role, apps: string[] | null, expiresAt: string | null, createdAt: string}} Token
 * @typedef {{node: string, version: string, startedAt: string, seenAt: string, clockOffsetMs: number, changesBehind: number}} ServiceNode
 * @typedef {{at: string, token: string, action: string, app: string | null, version: string | null, audience: string | null,
 *   revision: number | null, target: {kind: string, id: string, name: string | null} | null, reason?: string, message?: string,
 *   refusal?: string}} AuditEntry
 * @typedef {{id: string, url: string, types: string[] | null, apps: string[] | null, description: string | null, enabled: boolean,
 *   disabledReason: "gone" | "failing" | "operator" | null}} Webhook
 * @typedef {{at: string, durationMs: number, status: number | null, error: string | null, response: string | null}} Attempt
 * @typedef {{id: string, type: string, app: string | null, state: string, createdAt: string, nextAttemptAt: string | null,
 *   attempts: Attempt[], body?: string}} Delivery
 */
