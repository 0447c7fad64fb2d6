import CCurl
import Foundation
import Glibc
import Platform
import QuickActions
import Shortcuts
import Synchronization

/// Makes attempts: looks names up, checks and pins their addresses, and runs all transfers on one thread with libcurl's multi interface,
/// which reuses connections.
///
/// Names never reach libcurl's own resolver: in 7.88, removing a transfer joins its resolver thread, which would block the loop.
///
/// `@unchecked`: the loop's thread owns everything except `inbox`, which its lock owns; `curl_multi_wakeup` may be called from any thread.
final class TransferLoop: @unchecked Sendable {
    /// The properties that all deliveries of one claim share.
    struct Batch: Sendable {
        /// A delivery that has not started by then is dropped, because its lease would not cover the attempt.
        let startBy: ContinuousClock.Instant
        /// The number of the last report that was recorded before the claim.
        let recordedReport: Int
    }

    /// Finished attempts, and the deliveries that were dropped without an attempt. Reports are numbered from 1.
    struct Report: Sendable {
        let number: Int
        let attempts: [FinishedAttempt]
        let dropped: [DeliveryID]
    }

    private struct Inbox {
        var claims: [(deliveries: [ClaimedDelivery], batch: Batch)] = []
        var lookups: [(name: String, result: LookupResult)] = []
        var changedEndpoints: Set<EndpointID> = []
        /// New authorities that replace those of the configuration.
        var authorities: [UInt8]??
        var isDraining = false
        var isStopping = false
        /// False after the multi handle was closed.
        var isOpen = true
    }

    private(set) var configuration: Dispatcher.Configuration
    let clock: any WallClock
    let finish: @Sendable (Report) -> Void
    let multi: UnsafeMutableRawPointer?
    private let inbox = Mutex(Inbox())

    var resolver: NameResolver?
    var names: NameTable
    var admission: Admission
    var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    var spareHandles: [EasyHandle] = []
    var finished: [FinishedAttempt] = []
    var reports = 0

    /// - Parameter finish: called on the loop's thread, once per batch of attempts.
    init(
        _ configuration: Dispatcher.Configuration, clock: any WallClock, lookUp: @escaping @Sendable (String) -> LookupResult,
        finish: @escaping @Sendable (Report) -> Void
    ) {
        self.configuration = configuration
        self.clock = clock
        self.finish = finish
        admission = Admission(perEndpoint: configuration.inFlightPerEndpoint)
        names = NameTable(timeout: min(configuration.connectTimeout, configuration.timeout))
        multi = CurlLibrary.isReady ? curl_multi_init() : nil
        // By default, libcurl closes connections above four times the current number of transfers.
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.inFlight)
        ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        resolver = NameResolver(threads: configuration.lookups, lookUp: lookUp) { [weak self] name, result in
            self?.post { $0.lookups.append((name, result)) }
        }
    }

    func start() {
        NamedThread.start("lp-transfers", isBackground: true) { self.run() }
    }

    func begin(_ deliveries: [ClaimedDelivery], _ batch: Batch) {
        guard !deliveries.isEmpty else { return }
        post { $0.claims.append((deliveries, batch)) }
    }

    /// Drops the deliveries to these endpoints that were claimed before this call and have not started.
    func dropQueued(for endpoints: Set<EndpointID>) {
        post { $0.changedEndpoints.formUnion(endpoints) }
    }

    /// Sets the authorities for attempts from now on.
    func trust(_ authorities: [UInt8]?) {
        post { $0.authorities = .some(authorities) }
    }

    /// Starts no more attempts; those in flight continue.
    func drain() {
        post { $0.isDraining = true }
    }

    /// Abandons the attempts in flight without a report.
    func stop() {
        post { $0.isStopping = true }
    }

    private func post(_ change: (inout Inbox) -> Void) {
        inbox.withLock { inbox in
            guard inbox.isOpen else { return }
            change(&inbox)
            // Under the lock, because `close` clears `isOpen` under it before it frees the handle.
            curl_multi_wakeup(multi)
        }
    }

    private func run() {
        while true {
            let code = curl_multi_poll(multi, nil, 0, pollMilliseconds, nil)
            // Out of memory or descriptors: avoid a busy loop.
            if code != CURLM_OK { usleep(10_000) }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            collect()
            let mail = inbox.withLock { inbox in
                defer { (inbox.claims, inbox.lookups, inbox.changedEndpoints, inbox.authorities) = ([], [], [], nil) }
                return inbox
            }
            if mail.isStopping { return close() }
            if let authorities = mail.authorities { configuration.authorities = authorities }
            for (name, result) in mail.lookups { resolved(name, result) }
            for request in names.takeExpired(at: .now) {
                end(request, .failed(error: AttemptError.lookupTimedOut(names.timeout), nil))
            }
            for (deliveries, batch) in mail.claims {
                admission.add(deliveries, startBy: batch.startBy, recordedReport: batch.recordedReport)
            }
            // After the claims. A delivery that was claimed after the change may be dropped too; it is claimed again.
            admission.drop(for: mail.changedEndpoints)
            if mail.isDraining { admission.dropAll() }
            admit()
            report()
        }
    }

    private var pollMilliseconds: Int32 {
        let lookup = names.nextExpiry.map { max(($0 - ContinuousClock.now).inMilliseconds + 1, 0) }
        return Int32(clamping: min(lookup ?? 60_000, admission.nextHoldEnd(from: clock.now()) ?? 60_000))
    }

    private func close() {
        inbox.withLock { $0.isOpen = false }
        for handle in transfers.keys { curl_multi_remove_handle(multi, handle) }
        transfers = [:]
        spareHandles = []
        curl_multi_cleanup(multi)
    }
}

/// The steps of an attempt: admit, sign, look the name up, check its addresses, send, end. All run on the loop's thread.
extension TransferLoop {
    /// Starts the admitted deliveries. It loops because a request that cannot be built ends at once and frees its slot.
    func admit() {
        while true {
            let deliveries = admission.admitted(now: clock.now(), at: .now)
            if deliveries.isEmpty { return }
            for delivery in deliveries { begin(delivery) }
        }
    }

    private func begin(_ delivery: ClaimedDelivery) {
        let time = clock.now()
        do throws(SignedRequest.SigningError) {
            prepare(try SignedRequest(delivery, at: time, configuration))
        } catch {
            end(FinishedAttempt(delivery, startedAt: time, duration: .zero, result: error.result))
        }
    }

    private func prepare(_ request: SignedRequest) {
        guard case .name(let name) = request.destination.host else { return send(request, to: []) }
        if let addresses = names.fresh(name, at: .now) { return check(request, addresses) }
        if names.wait(request, for: name) { resolver?.look(up: name) }
    }

    func resolved(_ name: String, _ result: LookupResult) {
        let requests = names.answered(name, result, at: .now)
        for request in requests {
            switch result {
            case .addresses(let addresses): check(request, addresses)
            case .failed(let error): end(request, .failed(error: error, nil))
            }
        }
    }

    /// Checks every address of the name. Only allowed ones are pinned.
    private func check(_ request: SignedRequest, _ addresses: [IPAddress]) {
        let allowed = addresses.filter { configuration.addressGuard.allows($0) }
        if let first = addresses.first, allowed.isEmpty { return end(request, .refused(error: AttemptError.refused(first))) }
        send(request, to: allowed)
    }

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

    func collect() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            // Read before the handle is removed, which frees the message.
            let code = ccurl_message_result(message)
            curl_multi_remove_handle(multi, handle)
            guard let transfer = transfers.removeValue(forKey: handle) else { continue }
            end(transfer.request, transfer.result(code, configuration), reused: transfer.reusedConnection)
            spareHandles.append(transfer.easy)
        }
    }

    func end(_ request: SignedRequest, _ result: AttemptResult, reused: Bool = false) {
        end(
            FinishedAttempt(
                request.delivery, startedAt: request.startedAt, duration: ContinuousClock.now - request.started, result: result,
                reusedConnection: reused))
    }

    private func end(_ attempt: FinishedAttempt) {
        admission.ended(attempt.delivery, attempt.result, now: clock.now(), report: reports + 1)
        finished.append(attempt)
    }

    func report() {
        let dropped = admission.takeDropped()
        guard !finished.isEmpty || !dropped.isEmpty else { return }
        reports += 1
        finish(Report(number: reports, attempts: finished, dropped: dropped))
        finished = []
    }
}
