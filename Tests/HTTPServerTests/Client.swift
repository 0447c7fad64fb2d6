import CLinux
import Glibc

@testable import HTTPServer

/// A blocking client that reads the raw bytes.
final class Client {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Parameter receiveBuffer: SO_RCVBUF in bytes. A small one limits what the kernel receives for a client that does not read.
    init(_ address: SocketAddress, receiveBuffer: Int32? = nil) throws {
        descriptor = try check("socket", socket(address.isIPv6 ? AF_INET6 : AF_INET, lp_sock_stream, 0))
        if var size = receiveBuffer {
            _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        // If this throws, deinit closes the descriptor.
        try check("connect", address.withRaw { connect(descriptor, $0, $1) })
    }

    deinit { _ = Glibc.close(descriptor) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, lp_msg_nosignal) }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Sends until the server stops reading: until the socket accepts nothing during ten turns of the server's event loop.
    /// - Parameter turn: returns after another turn of the loop.
    /// - Returns: the number of bytes sent.
    func sendUntilBlocked(_ bytes: [UInt8], turn: () -> Void) -> Int {
        var (sent, turns) = (0, 0)
        while sent < bytes.count, turns < 10 {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, lp_msg_nosignal | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                (sent, turns) = (sent + count, 0)
            } else {
                turn()
                turns += 1
            }
        }
        return sent
    }

    /// Whether input, or the end of the connection, can be read.
    func hasSomething(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    func endSending() { _ = shutdown(descriptor, lp_shut_wr) }

    struct Answer {
        var head: String
        var body: [UInt8]
        var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        var text: String { String(decoding: body, as: UTF8.self) }

        func field(_ name: String) -> String? {
            let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
            return line.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    /// The next answer, or nil if the connection ends before it.
    /// - Parameter isHead: the request was HEAD, so that the answer has no body.
    func answer(isHead: Bool = false) -> Answer? {
        while true {
            if let end = endOfHead() {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                var answer = Answer(head: head, body: [])
                let length = isHead ? 0 : Int(answer.field("Content-Length") ?? "") ?? 0
                while buffer.count < end + length { guard fill() > 0 else { return nil } }
                answer.body = Array(buffer[end..<end + length])
                buffer.removeFirst(end + length)
                return answer
            }
            guard fill() > 0 else { return nil }
        }
    }

    /// The received bytes that were not consumed as an answer, as soon as they contain `text`; nil if the connection ends before.
    func everything(upTo text: String) -> String? {
        while true {
            let received = String(decoding: buffer, as: UTF8.self)
            if received.contains(text) { return received }
            guard fill() > 0 else { return nil }
        }
    }

    private func endOfHead() -> Int? {
        guard buffer.count >= 4 else { return nil }
        for index in 3..<buffer.count where buffer[index] == 10 && buffer[index - 1] == 13 && buffer[index - 2] == 10 {
            return index + 1
        }
        return nil
    }

    /// Reads once; 0 at the end, -1 for a reset or after a minute.
    func fill(_ size: Int = 65536) -> Int {
        var bytes = [UInt8](repeating: 0, count: size)
        let count = recv(descriptor, &bytes, size, 0)
        if count > 0 { buffer.append(contentsOf: bytes[..<count]) }
        return count
    }

    /// Whether the server closed the connection without a reset and without further bytes.
    func hasEnded() -> Bool { buffer.isEmpty && fill() == 0 }
}
