import Dispatch
import Foundation

/// SIGTERM and SIGINT, waited for. Made before anything is served, so that none is missed.
final class StopSignals {
    private let arrived = DispatchSemaphore(value: 0)
    private var sources: [any DispatchSourceSignal] = []

    init() {
        for number in [SIGTERM, SIGINT] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [arrived] in arrived.signal() }
            source.activate()
            sources.append(source)
        }
        // A peer that has gone, and a file at its size limit, are told by errno.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    func wait() {
        arrived.wait()
    }
}
