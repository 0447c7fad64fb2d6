import CCurl
import Foundation

/// Sends requests with libcurl, for the command on Linux. There, `URLSession` cannot trust additional authorities, and it reads ahead of a
/// slow delegate, so that an endless answer fills the memory.
package struct CurlTransport: Transport {
    private let authority: String?
    private let handle: SharedHandle

    /// - Parameter file: certificates (PEM) of authorities that are trusted beside the system's; nil for none.
    package init(trusting file: String?) throws(RemoteFailure) {
        if let file { _ = try PEM.certificates(in: LocalFile.read(file, atMost: 16 << 20), named: file) }
        authority = file
        handle = SharedHandle()
    }

    package func send(_ request: RemoteRequest, receive: (ResponsePart) throws(RemoteFailure) -> Void) throws(RemoteFailure) {
        try handle.use { handle throws(RemoteFailure) in
            guard let handle else { throw .unreachable(request.url, "libcurl is out of memory") }
            try send(request, over: handle, receive: receive)
        }
    }

    private func send(
        _ request: RemoteRequest, over handle: UnsafeMutableRawPointer, receive: (ResponsePart) throws(RemoteFailure) -> Void
    ) throws(RemoteFailure) {
        let fields = request.fields.map { "\($0.name): \($0.value)" } + ["Expect:"]
        let list = fields.reduce(nil as UnsafeMutablePointer<curl_slist>?) { list, line in curl_slist_append(list, line) ?? list }
        defer { curl_slist_free_all(list) }
        set(request, list, on: handle)
        let (code, failure) = withoutActuallyEscaping(receive) { receive in perform(handle, limit: request.limit, receive) }
        if let failure { throw failure }
        guard code == CURLE_OK else { throw .unreachable(request.url, reason(of: code)) }
    }

    private func set(_ request: RemoteRequest, _ fields: UnsafeMutablePointer<curl_slist>?, on handle: UnsafeMutableRawPointer) {
        ccurl_set_string(handle, CURLOPT_URL, request.url.absoluteString)
        ccurl_allow_only_http(handle)
        // The system's folder of authorities stays trusted beside it.
        if let authority { ccurl_set_string(handle, CURLOPT_CAINFO, authority) }
        ccurl_set_list(handle, CURLOPT_HTTPHEADER, fields)
        ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT, 30)
        ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, request.timeout)
        if let body = request.body {
            ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, body.count)
            // libcurl copies the body.
            body.withUnsafeBytes { bytes in _ = ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress) }
        }
        ccurl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func perform(
        _ handle: UnsafeMutableRawPointer, limit: Int, _ receive: @escaping (ResponsePart) throws(RemoteFailure) -> Void
    ) -> (CURLcode, RemoteFailure?) {
        let receiver = Receiver(handle, limit: limit, receive)
        let code = withExtendedLifetime(receiver) {
            ccurl_set_pointer(handle, CURLOPT_HEADERDATA, Unmanaged.passUnretained(receiver).toOpaque())
            ccurl_set_receive(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                guard let context, let bytes else { return 0 }
                let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
                Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().receive(headerLine: line)
                return size * count
            }
            ccurl_set_pointer(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(receiver).toOpaque())
            ccurl_set_receive(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let context, let bytes else { return 0 }
                let receiver = Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
                return receiver.receive(Array(UnsafeRawBufferPointer(start: bytes, count: size * count)))
            }
            return curl_easy_perform(handle)
        }
        if code == CURLE_OK { receiver.requireHead() }
        return (code, receiver.failure)
    }

    private func reason(of code: CURLcode) -> String {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: "the host name is unknown"
        case CURLE_COULDNT_CONNECT: "nothing listens at this address"
        case CURLE_OPERATION_TIMEDOUT: "no answer came in time"
        case CURLE_PEER_FAILED_VERIFICATION:
            "its certificate is not trusted" + (authority.map { ", even with \($0)" } ?? ". Pass its authority with --ca FILE")
        case CURLE_SSL_CACERT_BADFILE:
            (authority ?? "the system's file of certificate authorities")
                + " has a certificate that cannot be read. Pass --ca a file of PEM certificates"
        default: String(cString: curl_easy_strerror(code))
        }
    }
}

/// Owns the `CURL` easy handle of a transport, which reuses its connections. `lock` guards it, because a handle makes one transfer at a
/// time.
private final class SharedHandle: @unchecked Sendable {
    private let lock = NSLock()
    private let pointer = curl_easy_init()

    deinit {
        curl_easy_cleanup(pointer)
    }

    /// Passes the handle to `work`, without options of earlier transfers; nil if libcurl is out of memory.
    func use(_ work: (UnsafeMutableRawPointer?) throws(RemoteFailure) -> Void) throws(RemoteFailure) {
        lock.lock()
        defer { lock.unlock() }
        if let pointer { curl_easy_reset(pointer) }
        try work(pointer)
    }
}

/// Passes on an answer's parts, on the thread that performs the transfer.
private final class Receiver {
    private let handle: UnsafeMutableRawPointer
    private let next: (ResponsePart) throws(RemoteFailure) -> Void
    private let limit: Int
    private var count = 0
    private var hasHead = false
    /// The header fields by their names in lower case.
    private var fields: [String: String] = [:]
    private(set) var failure: RemoteFailure?

    init(_ handle: UnsafeMutableRawPointer, limit: Int, _ next: @escaping (ResponsePart) throws(RemoteFailure) -> Void) {
        self.handle = handle
        self.limit = limit
        self.next = next
    }

    func receive(headerLine line: String) {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// - Returns: the number of accepted bytes. Any number other than `bytes.count` ends the transfer.
    func receive(_ bytes: [UInt8]) -> Int {
        requireHead()
        count += bytes.count
        if count > limit, failure == nil { failure = .tooLarge(limit) }
        pass(.body(bytes))
        return failure == nil ? bytes.count : (bytes.isEmpty ? 1 : 0)
    }

    /// Passes on the head of an answer without a body.
    func requireHead() {
        guard !hasHead else { return }
        hasHead = true
        var status = 0
        ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        pass(
            .head(
                ResponseHead(
                    status: status, contentType: text(CURLINFO_CONTENT_TYPE), location: text(CURLINFO_REDIRECT_URL),
                    entityTag: fields["etag"], base: fields["longpress-base"])))
    }

    private func pass(_ part: ResponsePart) {
        guard failure == nil else { return }
        do throws(RemoteFailure) {
            try next(part)
        } catch {
            failure = error
        }
    }

    private func text(_ info: CURLINFO) -> String? {
        var text: UnsafePointer<CChar>?
        ccurl_get_string(handle, info, &text)
        return text.map { String(cString: $0) }
    }
}
