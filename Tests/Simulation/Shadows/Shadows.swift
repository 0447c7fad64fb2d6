import SimulationKernel

// Compiled into each module of the simulator. A module's own names come before imported ones, so the product's sources wait, lock and start
// threads with the kernel's types and no line of them changes.

typealias Mutex = SimulationKernel.Mutex
typealias Atomic = SimulationKernel.Atomic
typealias NSLock = SimulationKernel.NSLock
typealias NSCondition = SimulationKernel.NSCondition
typealias DispatchSemaphore = SimulationKernel.DispatchSemaphore
typealias DispatchQueue = SimulationKernel.DispatchQueue
typealias Thread = SimulationKernel.Thread
