import CCurl
import QuickActions
import Shortcuts

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
        do throws(SignedRequest.Refusal) {
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
