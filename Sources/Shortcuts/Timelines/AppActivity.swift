import QuickActions

/// What an app's editors should look at.
package struct AppActivity: Sendable {
    /// The days of taps that count.
    package static let days = 30
    /// How soon the end of a campaign is announced.
    package static let notice = Duration.seconds(48 * 3600)

    package var taps: Int64 = 0
    package var lostTaps: Int64 = 0
    /// The drafts whose review was requested.
    package var drafts = 0
    /// The webhooks for this app alone, or for it and other named apps, that fail or that failures disabled.
    package var webhooks = 0
    /// The campaigns that end soon.
    package var campaigns = 0

    package init() {}

    package var needsAttention: Bool { lostTaps > 0 || drafts > 0 || webhooks > 0 || campaigns > 0 }

    /// Members for an app in a list.
    package var json: JSON {
        [
            "taps": .integer(taps),
            "attention": [
                "lostTaps": .integer(lostTaps), "drafts": .integer(Int64(drafts)), "webhooks": .integer(Int64(webhooks)),
                "campaigns": .integer(Int64(campaigns)),
            ],
        ]
    }
}
