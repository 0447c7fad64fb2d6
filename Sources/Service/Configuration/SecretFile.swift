import Platform
import QuickActions
import Shortcuts

/// A file whose first line is a secret, as Docker, Kubernetes and systemd provide secrets.
enum SecretFile {
    static func firstLine(of path: String) throws(TextError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(path, atMost: 1 << 20)
        } catch {
            throw TextError(error.description)
        }
        guard !FileBytes.isReadableByEveryone(path) else {
            throw TextError("Every user of this machine can read \(path). Run chmod o-r on it and replace the secret.")
        }
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).trimmingSuffix("\r")
        guard !line.isEmpty else { throw TextError("The first line of \(path) is empty. Write the secret there.") }
        return line
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}

extension SecretKey {
    /// Reads the key from the first line of a file.
    package init(file path: String) throws(TextError) {
        guard let key = SecretKey(try SecretFile.firstLine(of: path)) else {
            throw TextError(
                "The first line of \(path) is not a key of 32 bytes in base64 or hexadecimal digits. Make one with openssl rand -base64 32."
            )
        }
        self = key
    }
}
