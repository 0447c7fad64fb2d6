import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var sessionRoutes: [Route] {
        let current = "/sessions/current"
        return [
            Route(.get, "/admin/v1/sessions", name: "getSignIn", runs: .onLoop) { request, _ in
                answering(request, about: signInSubject(request)) { _ throws(Failure) in try getSignIn(request) }
            },
            signInRoute,
            route("getCurrentSession", .get, current, .reader, app: .none, getCurrentSession),
            route("deleteCurrentSession", .delete, current, .reader, app: .none, deleteCurrentSession),
        ]
    }

    /// Needs no authentication, because the sign-in page uses it; so does `signInRoute`.
    private func getSignIn(_ request: Request) throws(Failure) -> Response {
        try request.query.requireUnique()
        try request.query.requireKnown([])
        let person = try? authenticator.proxySignIn?.person(of: request)
        return .json(["person": .optional(person?.address)])
    }

    /// Signs in with the token in the body, or with the person that a proxy names.
    private var signInRoute: Route {
        Route(
            .post, "/admin/v1/sessions", name: "createSession", bodyLimit: 4 << 10, runs: .onWriter, checks: .head
        ) { request, _ in
            admitting(request, about: signInSubject(request)) { _ throws(Failure) in
                try requireSignInPage(request)
                return { request in
                    answering(request, about: signInSubject(request)) { subject throws(Failure) in try createSession(request, &subject) }
                }
            }
        }
    }

    private func signInSubject(_ request: Request) -> Refusal.Subject {
        var subject = Refusal.Subject(address: request.sender.address)
        subject.hasCredentials = true
        return subject
    }

    private func requireSignInPage(_ request: Request) throws(Failure) {
        try request.query.requireUnique()
        try request.query.requireKnown([])
        // Otherwise another site could sign the browser in with its own token.
        try request.requireSameOrigin()
    }

    private func createSession(_ request: Request, _ subject: inout Refusal.Subject) throws(Failure) -> Response {
        let proxySignIn = authenticator.proxySignIn.flatMap { $0.isNamed(in: request) ? $0 : nil }
        let secret = try request.tokenOfSignIn(isOptional: proxySignIn != nil)
        let now = clock.now()
        let (identity, new) = try signInLimit.attempt(from: request.sender, at: now) { () throws(Failure) in
            let identity =
                if let secret { try authenticator.identity(ofToken: secret, &subject) } else if let proxySignIn {
                    try authenticator.identity(ofPersonIn: request, by: proxySignIn, &subject)
                } else { throw .invalidDocument([]) }
            try signInLimit.admit(identity, at: now)
            let new = NewSession(
                of: identity.owner, secretBytes: generator.makeBytes(32), tokenExpiresAt: identity.expiresAt, at: now)
            var signedIn = identity
            signedIn.session = new.session
            // Signing in ends the browser's previous session, which may belong to another person.
            let previous = request.sessionSecret.map { sha256(Array($0.utf8)) }
            try stores.createSession(new.session, replacing: previous, by: signedIn.author(of: request, at: now))
            return (identity, new)
        }
        let cookie = SessionCookie(for: request)
        return .json(identity.json(of: new.session), status: .created, fields: ["Set-Cookie": cookie.setting(new)])
    }

    private func getCurrentSession(_ call: AdminCall) throws(Failure) -> Response {
        .json(call.identity.json(of: try call.session()))
    }

    private func deleteCurrentSession(_ call: AdminCall) throws(Failure) -> Response {
        try stores.endSession(hash: try call.session().hash, by: call.author)
        return Response(.noContent, fields: ["Set-Cookie": SessionCookie(for: call.request).removing])
    }
}

extension Request {
    /// - Returns: the token in the body; nil if it has none and `isOptional` is true.
    fileprivate func tokenOfSignIn(isOptional: Bool) throws(Failure) -> String? {
        guard !isOptional || !body.isEmpty else { return nil }
        try requireContentType(["application/json"])
        return try SignInDocument(try json()).checked(isOptional: isOptional)
    }
}

extension AdminCall {
    fileprivate func session() throws(Failure) -> Session {
        guard let session = identity.session else {
            throw Failure(
                .unknownResource,
                "This request uses a token, so it has no session. POST /admin/v1/sessions creates a session for a browser.")
        }
        return session
    }
}

extension Identity {
    fileprivate func json(of session: Session) -> JSON {
        [
            "name": .string(name), "owner": .string(person), "role": .string(role.rawValue), "apps": scope.json,
            "expiresAt": .string(session.expiresAt.shortText),
        ]
    }
}
