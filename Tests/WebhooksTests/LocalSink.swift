import Foundation
import Glibc
import Synchronization

/// A small HTTP/1.1 receiver on 127.0.0.1, with one thread per connection.
final class LocalSink: Sendable {
    struct Received: Sendable {
        let line: String
        /// As written, in their order.
        let fields: [(name: String, value: String)]
        let body: [UInt8]
        let connection: Int
        let at: ContinuousClock.Instant

        func field(_ name: String) -> String? {
            fields.first { $0.name.lowercased() == name }?.value
        }
    }

    enum Reply: Sendable {
        case status(Int, fields: String = "", body: String = "")
        /// Sends the bytes unchanged, then closes the connection.
        case raw(String)
        case hang(Duration)
        case endless
        case drip
        case reset
    }

    let port: Int
    private let listener: Int32
    private let received = Mutex<[Received]>([])
    private let connections = Mutex(0)
    private let reply: @Sendable (Received, Int) -> Reply

    /// - Parameter reply: called with the request and the number of earlier ones.
    init(_ reply: @escaping @Sendable (Received, Int) -> Reply = { _, _ in .status(200) }) {
        self.reply = reply
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(listener, pointer, length)
                _ = getsockname(listener, pointer, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.listener = listener
        listen(listener, 512)
        Thread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                let number = connections.withLock { count in
                    count += 1
                    return count
                }
                Thread { self.serve(connection, number) }.start()
            }
        }.start()
    }

    deinit { close(listener) }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    var requests: [Received] { received.withLock { $0 } }
    var connectionCount: Int { connections.withLock { $0 } }
    func url(_ path: String = "/hook") -> String { "http://127.0.0.1:\(port)\(path)" }

    private func serve(_ connection: Int32, _ number: Int) {
        defer { close(connection) }
        var buffer: [UInt8] = []
        while let request = read(from: connection, &buffer, number) {
            let before = received.withLock { all in
                all.append(request)
                return all.count - 1
            }
            guard answer(reply(request, before), on: connection) else { return }
        }
    }

    private func answer(_ reply: Reply, on connection: Int32) -> Bool {
        switch reply {
        case .status(let status, let fields, let body):
            return write("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)", connection)
        case .raw(let text):
            _ = write(text, connection)
            return false
        case .hang(let duration):
            usleep(UInt32(duration / .microseconds(1)))
            return false
        case .endless:
            guard write("HTTP/1.1 200 OK\r\n\r\n", connection) else { return false }
            let chunk = String(repeating: "x", count: 8192)
            for _ in 0..<12_800 { guard write(chunk, connection) else { return false } }
            return false
        case .drip:
            guard write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", connection) else { return false }
            for _ in 0..<1000 {
                guard write("x", connection) else { return false }
                usleep(20_000)
            }
            return true
        case .reset:
            var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }

    private func write(_ text: String, _ connection: Int32) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func read(from connection: Int32, _ buffer: inout [UInt8], _ number: Int) -> Received? {
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = buffer.firstRange(of: blank) {
                let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let fields = lines.dropFirst().map { line in
                    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    return (name: String(parts[0]), value: parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
                }
                let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
                if buffer.count >= end.upperBound + length {
                    let body = Array(buffer[end.upperBound..<(end.upperBound + length)])
                    buffer.removeFirst(end.upperBound + length)
                    return Received(line: lines[0], fields: fields, body: body, connection: number, at: .now)
                }
            }
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }
}
