import Glibc
import Platform

/// An exclusive lock on a database file: while it is held, no other process has the database open.
///
/// A SQLite connection in WAL mode has a shared lock on the file's lock-byte page while it is open, and any other connection takes one to
/// read (sqlite.org/fileformat.html#the_lock_byte_page). An exclusive lock on those bytes excludes both.
struct DatabaseLock {
    private static let (firstByte, count): (off_t, off_t) = (0x4000_0000, 512)

    private let descriptor: Int32

    /// - Returns: nil if the file does not exist.
    /// - Throws: if another process has the database open.
    init?(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw FileError(path, cannotBe: "opened") }
            return nil
        }
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (Self.firstByte, Self.count)
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            let isTaken = errno == EACCES || errno == EAGAIN
            let refusal = FileError(path, cannotBe: "locked")
            close(descriptor)
            guard isTaken else { throw refusal }
            throw RestoreError("\(path) is in use. Stop the service and every other program that has it open. Nothing was restored.")
        }
        self.descriptor = descriptor
    }

    func release() { close(descriptor) }

    /// Throws if a connection in WAL mode has a lock on the -shm file (SQLite's `WALINDEX_LOCK_OFFSET` to `UNIX_SHM_DMS`). This also finds
    /// a connection whose database file was deleted or replaced.
    ///
    /// Must not be called while this process has the database open: closing a descriptor of a file releases all locks of the process on it
    /// (POSIX `fcntl`).
    static func requireUnusedLog(of path: String) throws {
        let sharedMemory = path + "-shm"
        let descriptor = open(sharedMemory, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw FileError(sharedMemory, cannotBe: "opened") }
            return
        }
        defer { close(descriptor) }
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (120, 9)
        guard fcntl(descriptor, F_GETLK, &lock) == 0 else { throw FileError(sharedMemory, cannotBe: "examined") }
        guard lock.l_type == Int16(F_UNLCK) else {
            throw RestoreError(
                "\(path) was deleted or replaced, but a service still has it open (\(sharedMemory) is locked). Stop the service first. "
                    + "Nothing was restored.")
        }
    }
}
