import HTTP
import QuickActions
import Shortcuts

/// What a tap means, and the taps that clients have counted.
extension ClientRoutes {
    /// In bytes: a tap has at most 4 KiB of `userInfo`, a version tag and a type.
    static let tapLimit = 16 << 10
    /// In bytes: a hundred entries of 650 bytes.
    static let reportLimit = 64 << 10

    func tap(_ request: Request, _ parameters: PathParameters) throws(Failure) -> Response {
        let snapshot = try snapshot(parameters, isCutOff: !catchUp(for: 0))
        let version = try parameters.version()
        try request.query.requireUnique()
        let revision = try request.query.revision
        if snapshot.isStale, !apps.freshness.isPermanent { try require(revision, from: snapshot.lastRevision) }
        try requireJSON(request)
        let document = TapDocument(try request.json())
        let tap = try document.tap(version: version, language: request.acceptedLanguages)
        let answer = TapAnswer(to: tap, in: snapshot)
        if tap.isCounted, !tap.isOnDraft { taps.count(answer.kind) }
        if answer.ignoresValues { taps.countIgnoredValues() }
        return .json(answer.json)
    }

    func report(_ request: Request, _ parameters: PathParameters) throws(Failure) -> Response {
        let snapshot = try snapshot(parameters, isCutOff: !catchUp(for: 0))
        let version = try parameters.version()
        try request.query.requireUnique()
        // The answer has no body, so any Accept is fine.
        try request.requireContentType(["application/json"])
        let report = try TapReportDocument(try request.json()).report(from: version, in: snapshot)
        try limit.count(report, from: request.sender, at: clock.now(), in: reports)
        return Response(.accepted, fields: ["Cache-Control": "no-store"])
    }

    private func requireJSON(_ request: Request) throws(Failure) {
        try FetchRequest.requireJSONAccepted(request.fields.combined("Accept"))
        guard let type = try request.mediaType, type != "application/json" else { return }
        throw Failure(.unsupportedMediaType, "\(quoted(type)) is not supported here. Send the field Content-Type: application/json.")
    }
}
