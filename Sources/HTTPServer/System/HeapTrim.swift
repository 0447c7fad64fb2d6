import CLinux
import Platform
import Synchronization

/// Returns freed memory to the kernel after large bodies. glibc keeps freed memory for later allocations: about 200 MiB after 24 bodies of
/// 1 MiB and their decoded values. Any thread may call its functions.
enum HeapTrim {
    /// The least size of a large body, in bytes.
    static let largeBody = 256 << 10

    /// Started by the first large body.
    private static let thread = SerialThread("lp-heap-trim", isBackground: true)
    private static let isScheduled = Atomic(false)

    /// Allocates blocks from 128 KiB on with mmap, so that `free` unmaps them. This is glibc's initial threshold, which otherwise grows
    /// with the largest freed block (mallopt(3), M_MMAP_THRESHOLD). Up to 16 MiB of free memory stay at the end of the heap
    /// (M_TRIM_THRESHOLD): returning and allocating them again with each compressed answer would cost more than the compression.
    static func setThresholds() { lp_set_malloc_thresholds() }

    /// Trims the heap after one second, once for all calls until then.
    static func schedule() {
        guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        thread.run(after: .seconds(1), for: thread) {
            isScheduled.store(false, ordering: .releasing)
            lp_trim_heap()
        }
    }
}
