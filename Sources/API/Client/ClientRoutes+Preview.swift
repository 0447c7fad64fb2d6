import HTTP
import QuickActions
import Shortcuts

/// Menus with the drafts of a preview link.
extension ClientRoutes {
    /// Answers a fetch with `?preview=`. Nothing of it is cached, here or elsewhere.
    func preview(_ request: Request, _ parameters: PathParameters) -> Response {
        var response = answering(request, about: subject(parameters)) { _ throws(Failure) in try previewedMenu(request, parameters) }
        // A menu has it already, in its prepared answer.
        response.fields.set("Cache-Control", Self.previewCaching)
        return response
    }

    private static let previewCaching = "private, no-store"

    private func previewedMenu(_ request: Request, _ parameters: PathParameters) throws(Failure) -> Response {
        guard let app = AppID(parameters["app"]) else { throw .unknownApp(named: parameters["app"]) }
        try request.query.requireUnique()
        guard let link = try previews?.link(of: app, for: request) else {
            // An unknown app takes precedence over other errors.
            _ = try snapshot(parameters)
            throw .unknownPreview
        }
        let fetch = try parseFetch(request, parameters, Self.shortcutsName)
        let snapshot = try snapshot(parameters)
        let drafts = try link.drafts(for: fetch.client) { version, audience throws(Failure) in
            try apps.draft(effectiveFor: version, audience, of: app)
        }
        let menu = PreviewedMenu(for: fetch.client, in: snapshot, publishing: drafts)
        let field = (name: "Longpress-Preview", value: menu.isDraft ? "draft" : "live")
        guard let content = menu.answer(to: fetch) else {
            var response = noMenuResponse(request, app, fetch, policy.at(clock.now(), nextPublish: nil))
            response.fields.set(field.name, field.value)
            return response
        }
        let validators: Fields = [
            "ETag": EntityTag(opaque: entityHash(of: content.body)).description, "Cache-Control": Self.previewCaching,
            field.name: field.value,
        ]
        var fields = validators
        fields.append("Content-Type", fetch.resource.mediaType)
        fields.append("Content-Language", content.language.description)
        if let notice = fetch.notice { fields.append(ParameterNotice.field, notice.text) }
        return try PreparedAnswer(fields: fields, validators: validators.count, body: content.body, route: Self.shortcutsName)
            .response(to: request)
    }
}

extension PreviewedMenu {
    /// Nil if no set is in effect for the fetch.
    fileprivate func answer(to fetch: FetchRequest) -> (body: [UInt8], language: LanguageTag)? {
        guard case .shortcuts(let format) = fetch.resource, let answer = ShortcutsAnswer(for: fetch.client, in: effective) else {
            return nil
        }
        return (format.bytes(of: answer, within: fetch.scope), answer.language)
    }
}
