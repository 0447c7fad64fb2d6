import CEpoll
import Dispatch
import Synchronization

/// Gives memory back to the kernel after large bodies. glibc keeps what was freed for its next allocations, and after 24 bodies of 1 MiB
/// and all that was made of them that is some 200 MiB which nothing may need again.
enum HeapTrim {
    /// From so many bytes on a body is large.
    static let largeBody = 256 << 10

    private static let queue = DispatchQueue(label: "longpress.heap-trim", qos: .background)
    private static let isPlanned = Atomic(false)

    /// Blocks from 128 KiB on get pages of their own, which go back when they are freed. That is glibc's own start value; without this it
    /// grows with the largest block that was freed (mallopt(3), M_MMAP_THRESHOLD). What is free at the end of the heap stays, up to 16 MiB:
    /// to be given back and taken again with each answer that is compressed would cost more than all else of it.
    static func keepLargeBlocksApart() { lp_keep_large_blocks_apart() }

    /// Trims all arenas within a second. However many ask for it meanwhile, it is done once.
    static func soon() {
        guard !isPlanned.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.asyncAfter(deadline: .now() + .seconds(1)) {
            isPlanned.store(false, ordering: .releasing)
            lp_trim_heap()
        }
    }
}
