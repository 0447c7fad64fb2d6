import HTTP
import Synchronization

/// A file of the console, and its gzip once somebody has asked for it.
final class ConsoleFile: Sendable {
    /// Below the folder `Files`.
    let path: String
    private let read: @Sendable () -> [UInt8]
    private let gzipped = Mutex<Compressed>(.not)

    private enum Compressed {
        case not
        case done([UInt8])
        /// gzip makes it no smaller.
        case useless
    }

    /// - Parameter read: the bytes, the same at each call.
    init(path: String, _ read: @escaping @Sendable () -> [UInt8]) {
        self.path = path
        self.read = read
    }

    var bytes: [UInt8] { read() }

    /// The compressed bytes, computed once; nil if they are not smaller.
    var gzip: [UInt8]? {
        gzipped.withLock { compressed in
            if case .not = compressed {
                let bytes = bytes
                compressed = HTTP.gzip(bytes).flatMap { $0.count < bytes.count ? .done($0) : nil } ?? .useless
            }
            if case .done(let gzip) = compressed { return gzip }
            return nil
        }
    }

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
