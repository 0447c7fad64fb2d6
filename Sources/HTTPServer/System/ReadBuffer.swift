/// The buffer that all connections of a loop read into, one after another.
struct ReadBuffer: ~Copyable {
    let storage: UnsafeMutableBufferPointer<UInt8>

    init(capacity: Int) {
        storage = .allocate(capacity: capacity)
        storage.initialize(repeating: 0)
    }

    deinit { storage.deallocate() }
}
