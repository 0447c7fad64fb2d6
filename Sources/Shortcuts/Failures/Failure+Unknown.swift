import QuickActions

/// Failures for resources that do not exist. The detail says where to look.
extension Failure {
    package static func unknownApp(_ id: AppID) -> Failure {
        Failure(.unknownApp, "There is no app \"\(id)\". Create it with PUT /admin/v1/apps/\(id).")
    }

    /// Does not mention what an owner could do, because clients that fetch menus see it too.
    /// - Parameter text: the path segment, which may be an invalid id.
    package static func unknownApp(named text: String) -> Failure {
        Failure(.unknownApp, "There is no app \(quoted(text)). Check the bundle identifier.")
    }

    package static func unknownRelease(_ id: AppBuild, of app: AppID) -> Failure {
        Failure(.unknownResource, "There is no release \(id) of \"\(app)\". List the releases with GET …/releases.")
    }

    /// - Parameter inEffect: the version at which the set in effect for `version` begins.
    package static func unknownSet(_ version: AppVersion, _ audience: Audience, inEffect: AppVersion?) -> Failure {
        let wayOut =
            inEffect.map { "The set in effect for \(version) starts at \($0). Use …/sets/\($0), or list the sets with GET …/sets." }
            ?? "List the sets with GET …/sets."
        return Failure(
            .unknownResource, "There is no set that starts at version \(version) for audience \"\(audience)\". \(wayOut)")
    }

    /// - Parameter below: the greatest lower version with a draft.
    package static func unknownDraft(_ version: AppVersion, _ audience: Audience, below: AppVersion?) -> Failure {
        let wayOut =
            below.map { "The nearest lower draft starts at \($0). Use …/sets/\($0)/draft, or save a draft with PUT …/draft." }
            ?? "Save a draft with PUT …/draft."
        return Failure(
            .unknownResource, "There is no draft for version \(version) and audience \"\(audience)\". \(wayOut)")
    }

    package static func unknownScheduleEntry(_ id: ScheduleID, of app: AppID) -> Failure {
        Failure(
            .unknownResource,
            "There is no entry \(quoted(id.description)) in the schedule of \"\(app)\". It may have run already. List the entries with GET "
                + "…/schedule."
        )
    }

    /// - Parameter text: the path segment, which may not be a number.
    package static func unknownRevision(_ text: String, of app: AppID) -> Failure {
        Failure(.unknownResource, "There is no revision \(quoted(text)) of \"\(app)\". List the revisions with GET …/revisions.")
    }

    package static func unknownToken(_ id: TokenID) -> Failure {
        Failure(.unknownResource, "There is no token \(quoted(id.description)). List the tokens with GET /admin/v1/tokens.")
    }

    package static func unknownEndpoint(_ id: EndpointID) -> Failure {
        Failure(.unknownResource, "There is no webhook \(quoted(id.description)). List the webhooks with GET /admin/v1/webhooks.")
    }

    package static func unknownDelivery(_ id: DeliveryID) -> Failure {
        Failure(
            .unknownResource,
            "There is no delivery \(quoted(id.description)). List the deliveries of a webhook with GET /admin/v1/webhooks/{id}/deliveries.")
    }
}
