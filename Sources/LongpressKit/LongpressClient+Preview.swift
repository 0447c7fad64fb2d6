package import Foundation
internal import QuickActions

extension LongpressClient {
    package static func isPreview(_ url: URL) -> Bool { Preview(url) != nil }

    /// Shows drafts from now on, until the link ends.
    package func begin(_ url: URL) -> Bool {
        guard configuration.allowsPreviews, let link = Preview(url) else { return false }
        load()
        (preview, previewMenu) = (link, nil)
        save(link.file, as: "preview")
        backoff.succeed()
        return true
    }

    /// Shows the live menu again.
    package func endPreview() {
        load()
        guard preview != nil else { return }
        (preview, previewMenu) = (nil, nil)
        save(Data(), as: "preview")
    }

    package var isPreviewing: Bool {
        load()
        return preview != nil
    }

    /// Fetches the menu with the drafts of a preview. It is stored nowhere.
    /// - Returns: nil if the preview is over.
    func fetchPreview(
        _ preview: Preview, for installation: Installation, _ before: QuickActionMenu?
    ) async throws(LongpressError) -> MenuUpdate? {
        let key = "\(installation.menuKey) \(preview.id)"
        let known = previewMenu.flatMap { $0.answer.key == key ? $0 : nil }
        let response = try await send(installation.menuRequest(configuration.server, preview: preview, etag: known?.answer.etag))
        guard (try? self.installation.get()) == installation, self.preview == preview else { throw .cancelled }
        switch response.status {
        case 200: previewMenu = try KnownMenu(KeptAnswer(response, key: key, at: now), for: installation)
        case 304 where known != nil: break
        case _ where response.meansPreviewIsOver:
            endPreview()
            return nil
        case _ where response.meansKeep: return .keep
        default:
            askedToWait = response.retryAfter(now: now)
            throw .status(response.status)
        }
        backoff.succeed()
        return change(since: before)
    }
}
