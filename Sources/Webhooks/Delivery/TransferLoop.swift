import CCurl
import Foundation
import Glibc
import QuickActions
import Shortcuts
import Synchronization
import Threads

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
