import CCurl
import Glibc
import QuickActions
import Shortcuts

/// One HTTP transfer. The transfer loop's thread owns it; libcurl calls its callbacks on that thread.
final class Transfer {
    static let keptBytes = 16 * 1024
    static let readBytes = 64 * 1024
    /// The size limit of the answer's field lines, in bytes, including informational responses (1xx).
    private static let fieldBytes = 64 * 1024

    let request: SignedRequest
    let easy: EasyHandle
    private let addressGuard: AddressGuard
    private let fields: HeaderList
    private let pinned: HeaderList
    private var response: [UInt8] = []
    private var contentBytes = 0
    private var receivedFieldBytes = 0
    private var retryAfter: String?
    /// Whether the empty line came that ends the head. An informational head is followed by another one.
    private var hasWholeHead = false
    private var isCutShort = false
    private var hasTooManyFields = false
    private var refusedAddress: IPAddress?

    /// - Parameter addresses: the checked addresses to which the host name is pinned; empty if the URL has an address literal.
    init(_ request: SignedRequest, on easy: EasyHandle, to addresses: [IPAddress], _ configuration: Dispatcher.Configuration) {
        self.request = request
        self.easy = easy
        addressGuard = configuration.addressGuard
        fields = HeaderList(request.fields)
        let list = addresses.map { $0.family == .v4 ? "\($0)" : "[\($0)]" }.joined(separator: ",")
        pinned = HeaderList(addresses.isEmpty ? [] : ["\(request.destination.hostText):\(request.destination.port):\(list)"])
        easy.reset()
        setRequest()
        setLimits(configuration)
        setTrust(configuration)
        setCallbacks()
    }

    private func setRequest() {
        easy.set(CURLOPT_URL, request.destination.text)
        easy.set(CURLOPT_PATH_AS_IS, 1)
        easy.set(CURLOPT_POST, 1)
        easy.setBody(request.delivery.event.body)
        easy.set(CURLOPT_HTTPHEADER, fields)
        easy.set(CURLOPT_RESOLVE, pinned)
        easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    }

    private func setLimits(_ configuration: Dispatcher.Configuration) {
        let elapsed = ContinuousClock.now - request.started
        // 0 would mean no limit.
        easy.set(CURLOPT_TIMEOUT_MS, Int(max((configuration.timeout - elapsed).inMilliseconds, 1)))
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(max((configuration.connectTimeout - elapsed).inMilliseconds, 1)))
        easy.set(CURLOPT_NOSIGNAL, 1)
        easy.set(CURLOPT_FOLLOWLOCATION, 0)
        ccurl_allow_only_http(easy.pointer)
        easy.set(CURLOPT_PROXY, "")
        easy.set(CURLOPT_NOPROXY, "*")
        easy.set(CURLOPT_NETRC, 0)
        easy.set(CURLOPT_HTTP09_ALLOWED, 0)
    }

    private func setTrust(_ configuration: Dispatcher.Configuration) {
        easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        guard let authorities = configuration.authorities else { return }
        // The bytes instead of their file, because libcurl never reuses a connection that was made with other bytes.
        easy.set(CURLOPT_CAINFO_BLOB, authorities)
        easy.set(CURLOPT_CAPATH, CurlLibrary.authorityFolder)
    }

    private func setCallbacks() {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        ccurl_set_receive(easy.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let transfer = Transfer.from(context) else { return 0 }
            let isWanted = transfer.receive(content: UnsafeRawBufferPointer(start: bytes, count: size * count))
            return isWanted ? size * count : 0
        }
        ccurl_set_receive(easy.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let transfer = Transfer.from(context) else { return 0 }
            let isWanted = transfer.receive(field: UnsafeRawBufferPointer(start: bytes, count: size * count))
            return isWanted ? size * count : 0
        }
        ccurl_set_open_socket(easy.pointer) { context, _, address in
            guard let address, let transfer = Transfer.from(context) else { return CURL_SOCKET_BAD }
            return transfer.openSocket(to: address)
        }
        ccurl_set_before_request(easy.pointer) { context, remote, _, _, _ in
            guard let remote, let transfer = Transfer.from(context) else { return CURL_PREREQFUNC_ABORT }
            return transfer.mayRequest(from: String(cString: remote)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA, CURLOPT_PRIVATE] {
            ccurl_set_pointer(easy.pointer, option, context)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func receive(content bytes: UnsafeRawBufferPointer) -> Bool {
        response.append(contentsOf: bytes.prefix(Self.keptBytes - response.count))
        contentBytes += bytes.count
        isCutShort = contentBytes > Self.readBytes
        return !isCutShort
    }

    private func receive(field bytes: UnsafeRawBufferPointer) -> Bool {
        receivedFieldBytes += bytes.count
        hasTooManyFields = receivedFieldBytes > Self.fieldBytes
        if bytes.elementsEqual([0x0D, 0x0A]) || bytes.elementsEqual([0x0A]) {
            hasWholeHead = true
        } else if bytes.starts(with: "HTTP/".utf8) {
            hasWholeHead = false
        }
        let name = "retry-after:"
        if bytes.count > name.utf8.count, retryAfter == nil,
            zip(bytes, name.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
        {
            let value = String(decoding: bytes.dropFirst(name.utf8.count).filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
            retryAfter = String(value.trimmingBlanks)
        }
        return !hasTooManyFields
    }

    /// The last check before connect(2): an address that is not allowed is rejected, whichever name or proxy led to it.
    private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard let raw = ccurl_address(address), let remote = IPAddress(socketAddress: raw), addressGuard.allows(remote) else {
            refusedAddress = ccurl_address(address).flatMap { IPAddress(socketAddress: $0) }
            return CURL_SOCKET_BAD
        }
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, type, address.pointee.`protocol`)
    }

    /// A reused connection does not call `CURLOPT_OPENSOCKETFUNCTION`, so its address is checked before each request.
    func mayRequest(from remote: String) -> Bool {
        let address = IPAddress(remote)
        if let address, addressGuard.allows(address) { return true }
        refusedAddress = address
        return false
    }

    /// The result of the attempt. Called after libcurl has reported that the transfer is done.
    func result(_ code: CURLcode, _ configuration: Dispatcher.Configuration) -> AttemptResult {
        let status = easy.long(CURLINFO_RESPONSE_CODE)
        let answer =
            status == 0
            ? nil
            : EndpointAnswer(status: status, retryAfter: retryAfter, response: String(decoding: response, as: UTF8.self))
        // libcurl reports no error if the connection is closed in the middle of the head.
        if code == CURLE_OK, !hasWholeHead { return .failed(error: AttemptError.endedEarly, answer) }
        if let answer, code == CURLE_OK || isCutShort { return .answered(answer) }
        if let refusedAddress, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
            return .refused(error: AttemptError.refused(refusedAddress))
        }
        if hasTooManyFields { return .failed(error: AttemptError.tooManyFields, answer) }
        return .failed(error: AttemptError.sentence(for: code, of: easy, configuration), answer)
    }

    var reusedConnection: Bool { easy.long(CURLINFO_NUM_CONNECTS) == 0 }
}
