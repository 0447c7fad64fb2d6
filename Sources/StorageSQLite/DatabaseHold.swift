import Files
import Glibc

/// A database file that nobody else has open.
///
/// A connection of SQLite's in WAL mode keeps a shared lock on its file as long as it is open, on these bytes (the file format's
/// lock-byte page), and any other connection takes one to read. Whoever has all of them for itself is alone.
struct DatabaseHold {
    private static let (firstByte, count): (off_t, off_t) = (0x4000_0000, 512)

    private let descriptor: Int32

    /// - Throws: where somebody has it open; nil where there is no file.
    init?(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw FileRefusal(path, cannotBe: "opened") }
            return nil
        }
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (Self.firstByte, Self.count)
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            let isTaken = errno == EACCES || errno == EAGAIN
            let refusal = FileRefusal(path, cannotBe: "locked")
            close(descriptor)
            guard isTaken else { throw refusal }
            throw RestoreRefusal("\(path) is in use: stop the service, and whatever else has it open, first. Nothing was restored.")
        }
        self.descriptor = descriptor
    }

    func release() { close(descriptor) }
}
