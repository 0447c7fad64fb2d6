import SimulationKernel

/// Stands in for the product's file of this name: lines go to the world.
final class LogWriter: Sendable {
    let lostLines = Counter()

    init(descriptor: Int32 = 2, dropMessage: @escaping @Sendable (Int) -> String) {}

    func write(_ line: String) { SimulatedLog.receive(Kernel.process, line) }

    func flush() {}
}

package enum SimulatedLog {
    nonisolated(unsafe) package static var receive: (_ process: Int, _ line: String) -> Void = { _, _ in }
}
