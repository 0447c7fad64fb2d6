import CCurl
import Foundation
import Glibc
import Synchronization

/// Makes attempts: looks names up, checks and pins their addresses, and runs all requests on one thread with libcurl's
/// multi interface, which keeps connections open between them.
///
/// Names never reach libcurl's own resolver: in 7.88 dropping a transfer joins its resolver thread, which would stop
/// everybody. Unchecked: all but `inbox` belongs to the loop's thread; the multi handle's `wakeup` may be called from any.
final class TransferLoop: @unchecked Sendable {
    private struct Inbox {
        var requests: [SignedRequest] = []
        var lookups: [(name: String, result: LookupResult)] = []
        var isStopping = false
        /// False once the multi handle is gone.
        var isOpen = true
    }

    private let configuration: Dispatcher.Configuration
    private let finish: @Sendable ([FinishedAttempt]) -> Void
    private let multi: UnsafeMutableRawPointer?
    private let inbox = Mutex(Inbox())

    private var resolver: NameResolver?
    private var names: NameTable
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var spareHandles: [EasyHandle] = []
    private var finished: [FinishedAttempt] = []

    /// - Parameter finish: called on the loop's thread, for several attempts at once.
    init(
        _ configuration: Dispatcher.Configuration, lookUp: @escaping @Sendable (String) -> LookupResult,
        finish: @escaping @Sendable ([FinishedAttempt]) -> Void
    ) {
        self.configuration = configuration
        self.finish = finish
        names = NameTable(timeout: min(configuration.connectTimeout, configuration.timeout))
        multi = CurlLibrary.isReady ? curl_multi_init() : nil
        // Else libcurl keeps four times as many connections as there are transfers at the moment, and closes the rest.
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.inFlight)
        ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        resolver = NameResolver(threads: configuration.lookups, lookUp: lookUp) { [weak self] name, result in
            self?.post { $0.lookups.append((name, result)) }
        }
    }

    func start() {
        let thread = Thread { self.run() }
        thread.name = "webhook-transfers"
        thread.start()
    }

    func begin(_ requests: [SignedRequest]) {
        guard !requests.isEmpty else { return }
        post { $0.requests += requests }
    }

    /// Abandons what is running; nothing more is reported.
    func stop() {
        post { $0.isStopping = true }
    }

    private func post(_ change: (inout Inbox) -> Void) {
        inbox.withLock { inbox in
            guard inbox.isOpen else { return }
            change(&inbox)
            // Under the lock, for the handle is closed under it too.
            curl_multi_wakeup(multi)
        }
    }

    private func run() {
        while true {
            let code = curl_multi_poll(multi, nil, 0, pollMilliseconds, nil)
            // Out of memory or handles: do not spin.
            if code != CURLM_OK { usleep(10_000) }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            collect()
            let mail = inbox.withLock { inbox in
                defer { (inbox.requests, inbox.lookups) = ([], []) }
                return inbox
            }
            if mail.isStopping { return close() }
            for (name, result) in mail.lookups { settle(name, result) }
            for request in mail.requests { prepare(request) }
            for request in names.takeExpired(at: .now) {
                end(request, .failed(error: AttemptError.lookupTimedOut(names.timeout), nil))
            }
            report()
        }
    }

    private var pollMilliseconds: Int32 {
        guard let expiry = names.nextExpiry else { return 60_000 }
        return Int32(clamping: max((expiry - ContinuousClock.now).inMilliseconds + 1, 0))
    }

    private func close() {
        inbox.withLock { $0.isOpen = false }
        for handle in transfers.keys { curl_multi_remove_handle(multi, handle) }
        transfers = [:]
        spareHandles = []
        curl_multi_cleanup(multi)
    }

    // MARK: Names

    private func prepare(_ request: SignedRequest) {
        guard case .name(let name) = request.url.host else { return send(request, to: []) }
        if let addresses = names.fresh(name, at: .now) { return judge(request, addresses) }
        if names.wait(request, for: name) { resolver?.look(up: name) }
    }

    private func settle(_ name: String, _ result: LookupResult) {
        let requests = names.answered(name, result, at: .now)
        for request in requests {
            switch result {
            case .addresses(let addresses): judge(request, addresses)
            case .failed(let error): end(request, .failed(error: error, nil))
            }
        }
    }

    /// Every address of the name is looked at; only allowed ones are pinned.
    private func judge(_ request: SignedRequest, _ addresses: [IPAddress]) {
        let allowed = addresses.filter { configuration.addressGuard.allows($0) }
        if let first = addresses.first, allowed.isEmpty { return end(request, .refused(error: AttemptError.refused(first))) }
        send(request, to: allowed)
    }

    // MARK: Transfers

    private func send(_ request: SignedRequest, to addresses: [IPAddress]) {
        guard let easy = spareHandles.popLast() ?? EasyHandle() else {
            return end(request, .failed(error: AttemptError.noTransfer, nil))
        }
        let transfer = Transfer(request, on: easy, to: addresses, configuration)
        guard curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else {
            return end(request, .failed(error: AttemptError.noTransfer, nil))
        }
        transfers[easy.pointer] = transfer
    }

    private func collect() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            // The message is gone with the handle.
            let code = ccurl_message_result(message)
            curl_multi_remove_handle(multi, handle)
            guard let transfer = transfers.removeValue(forKey: handle) else { continue }
            end(transfer.request, transfer.result(code, configuration), reused: transfer.reusedConnection)
            spareHandles.append(transfer.easy)
        }
    }

    private func end(_ request: SignedRequest, _ result: AttemptResult, reused: Bool = false) {
        finished.append(
            FinishedAttempt(
                request.delivery, startedAt: request.startedAt, duration: ContinuousClock.now - request.started, result: result,
                reusedConnection: reused))
    }

    private func report() {
        guard !finished.isEmpty else { return }
        finish(finished)
        finished = []
    }
}
