import HTTP
import QuickActions

/// The console's files at `/console/`.
///
/// The page refers to the other files in a folder whose name is a digest of all files, so that browsers may cache them for ever. It has
/// the sign-in form, which can be used before the script is there. For a browser with the cookie of a session, the form is hidden.
package struct Console: Sendable {
    private static let page = "index.html"

    private let page: ConsoleFile
    private let pageWithSession: ConsoleFile
    private let others: [ConsoleFile]
    private let digest: String

    /// - Parameter digest: makes a short text of ASCII letters and digits of bytes, another one for other bytes.
    package init(digest: ([UInt8]) -> String) {
        self.init(
            EmbeddedFiles.all.map { file in
                ConsoleFile(path: file.path.description, compressed: [("br", file.brotli), ("gzip", file.gzip)]) {
                    file.text.withUTF8Buffer(Array.init)
                }
            }, digest)
    }

    /// - Parameter files: in an order that does not change.
    init(_ files: [ConsoleFile], _ digest: ([UInt8]) -> String) {
        let digest = digest(
            files.reduce(into: []) { all, file in
                let bytes = file.bytes
                all += Array("\(file.path) \(bytes.count)\n".utf8) + bytes
            })
        let source = files.first { $0.path == Self.page }?.bytes ?? []
        let page = String(decoding: source, as: UTF8.self).replacing("\"files/", with: "\"files/\(digest)/")
        self.page = ConsoleFile(page, path: Self.page)
        pageWithSession = ConsoleFile(page.replacing("<main ", with: "<main hidden "), path: Self.page)
        others = files.filter { $0.path != Self.page }
        self.digest = digest
    }

    /// GET and HEAD of the page and of each file.
    package var routes: [Route] {
        let slash = Route(.get, "/console", name: "getConsole", runs: .onLoop) { _, _ in
            // Relative, so that it is right behind a proxy that puts the service below a path.
            Response(.permanentRedirect, fields: ["Location": "console/", "Cache-Control": "no-store"])
        }
        let main = Route(.get, "/console/", name: "getConsole", runs: .onWorker) { request, _ in
            let hasSession = request.sessionSecret != nil
            return answer(
                request, hasSession ? pageWithSession : page, tag: hasSession ? "\(digest)-session" : digest, cached: "no-cache",
                vary: "Accept-Encoding, Cookie")
        }
        return [slash, main]
            + others.map { file in
                Route(.get, "/console/files/\(digest)/\(file.path)", name: "getConsoleFile", runs: .onWorker) { request, _ in
                    answer(request, file, tag: digest, cached: "public, max-age=31536000, immutable", vary: "Accept-Encoding")
                }
            }
    }

    private func answer(_ request: Request, _ file: ConsoleFile, tag name: String, cached: String, vary: String) -> Response {
        let accepted = AcceptEncoding(request.fields)
        let compressed = file.compressed.filter { accepted.prefers($0.coding) }
            .max { accepted.quality(of: $0.coding) < accepted.quality(of: $1.coding) }
        let tag = EntityTag(opaque: compressed.map { "\(name)-\($0.coding)" } ?? name)
        var fields: Fields = ["ETag": tag.description, "Cache-Control": cached, "Vary": vary]
        for field in Self.protection { fields.append(field.name, field.value) }
        guard Precondition.ifNoneMatch(request.fields, current: tag) != .fails else { return Response(.notModified, fields: fields) }
        fields.append("Content-Type", file.mediaType)
        guard let compressed else { return Response(.ok, fields: fields, body: file.bytes) }
        fields.append("Content-Encoding", compressed.coding)
        return Response(.ok, fields: fields, body: compressed.bytes())
    }

    /// Allows only the console's own scripts. Text cannot become markup, no page can embed the console, and no referrer is sent.
    static let protection: Fields = [
        "Content-Security-Policy": """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
        base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """,
        "Referrer-Policy": "no-referrer",
        // A page that opens the console in a window gets no handle to steer it by.
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]
}

/// A file of the console.
struct ConsoleFile: Sendable {
    /// Below the folder `Files`.
    let path: String
    /// The bytes in content codings (RFC 9110 8.4.1), the smallest first.
    let compressed: [(coding: String, bytes: @Sendable () -> [UInt8])]
    private let read: @Sendable () -> [UInt8]

    /// - Parameters:
    ///   - compressed: by coding, in base64. The build makes them.
    ///   - read: the bytes, the same at each call.
    init(path: String, compressed: [(coding: String, base64: StaticString)] = [], _ read: @escaping @Sendable () -> [UInt8]) {
        self.path = path
        self.compressed = compressed.filter { $0.base64.utf8CodeUnitCount > 0 }.map { coding, base64 in
            (coding, { @Sendable in QuickActions.bytes(base64: base64.description) ?? [] })
        }
        self.read = read
    }

    /// A file that is not known before the service starts.
    init(_ text: String, path: String) {
        self.path = path
        let bytes = Array(text.utf8)
        compressed = gzip(bytes).map { packed in [("gzip", { @Sendable in packed })] } ?? []
        read = { bytes }
    }

    var bytes: [UInt8] { read() }

    var mediaType: String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
