import SimulationKernel

/// Stands in for the product's file of this name: a thread of the kernel in the caller's process.
package enum NamedThread {
    package static let stackSize = 4 << 20

    package static func start(_ name: String, isBackground: Bool, _ body: @escaping @Sendable () -> Void) {
        _ = startIfPossible(name, isBackground: isBackground, body)
    }

    package static func startIfPossible(
        _ name: String, isBackground: Bool, stackSize: Int = stackSize, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        Kernel.spawn(name, body)
        Kernel.point("start")
        return true
    }
}
