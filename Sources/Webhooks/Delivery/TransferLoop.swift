import CCurl
import Foundation
import Glibc
import QuickActions
import Shortcuts
import Synchronization
import Threads

/// Makes attempts: looks names up, checks and pins their addresses, and runs all requests on one thread with libcurl's
/// multi interface, which keeps connections open between them.
///
/// Names never reach libcurl's own resolver: in 7.88 dropping a transfer joins its resolver thread, which would stop
/// everybody. Unchecked: all but `inbox` belongs to the loop's thread; the multi handle's `wakeup` may be called from any.
final class TransferLoop: @unchecked Sendable {
    /// What a claim is sent with.
    struct Batch: Sendable {
        /// What has not begun by then is given back.
        let startBy: ContinuousClock.Instant
        /// The number of the last report that was written down before the claim.
        let informed: Int
    }

    /// What came of attempts, and the deliveries that were given back without one. Numbered from 1.
    struct Report: Sendable {
        let number: Int
        let attempts: [FinishedAttempt]
        let dropped: [DeliveryID]
    }

    private struct Inbox {
        var claims: [(deliveries: [ClaimedDelivery], batch: Batch)] = []
        var lookups: [(name: String, result: LookupResult)] = []
        var changedEndpoints: Set<EndpointID> = []
        var isDraining = false
        var isStopping = false
        /// False once the multi handle is gone.
        var isOpen = true
    }

    let configuration: Dispatcher.Configuration
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

    /// - Parameter finish: called on the loop's thread, for several attempts at once.
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
        // Else libcurl keeps four times as many connections as there are transfers at the moment, and closes the rest.
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

    /// Gives back what has not begun of what was claimed for them before this.
    func giveBack(for endpoints: Set<EndpointID>) {
        post { $0.changedEndpoints.formUnion(endpoints) }
    }

    /// Begins nothing more; what runs comes to its end.
    func drain() {
        post { $0.isDraining = true }
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
                defer { (inbox.claims, inbox.lookups, inbox.changedEndpoints) = ([], [], []) }
                return inbox
            }
            if mail.isStopping { return close() }
            for (name, result) in mail.lookups { settle(name, result) }
            for request in names.takeExpired(at: .now) {
                end(request, .failed(error: AttemptError.lookupTimedOut(names.timeout), nil))
            }
            for (deliveries, batch) in mail.claims {
                admission.add(deliveries, startBy: batch.startBy, informed: batch.informed)
            }
            // After the claims: what was claimed after the change, if any is among them, is only claimed once more.
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
