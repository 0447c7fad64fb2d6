import Glibc
import Platform
import QuickActions

/// Reports the state of the service to systemd, with datagrams to the socket in `NOTIFY_SOCKET` (sd_notify(3)). Does nothing without that
/// socket. Any thread may call its functions.
final class ServiceManager: Sendable {
    /// How often the service asks systemd for more time while it starts, and for how much.
    private static let (extensionInterval, extended) = (Duration.seconds(5), Duration.seconds(60))

    private let address: [UInt8]
    private let socket: Int32
    /// How often systemd expects a watchdog message; nil for never (sd_watchdog_enabled(3)).
    let watchdogInterval: Duration?
    /// Asks for more time while the service starts; nil without systemd.
    private let starting: SerialThread?

    init(environment: [String: String]) {
        let name = Array((environment["NOTIFY_SOCKET"] ?? "").utf8)
        // A path, or @ and the name of an abstract socket, which begins with a zero byte.
        let isName = (name.first == UInt8(ascii: "/") || name.first == UInt8(ascii: "@")) && (2..<Self.pathCapacity).contains(name.count)
        address = isName ? (name.first == UInt8(ascii: "@") ? [0] + name.dropFirst() : name) : []
        socket = isName ? Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0) : -1
        starting = isName ? SerialThread("lp-starting", isBackground: false) : nil
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let watchdog = isForUs && isName ? environment["WATCHDOG_USEC"].flatMap { Int64($0) } : nil
        watchdogInterval = watchdog.flatMap { $0 > 0 ? .microseconds($0) : nil }
    }

    deinit {
        if socket >= 0 { close(socket) }
    }

    private static let pathCapacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    /// - Parameter state: lines of `NAME=value`.
    func notify(_ state: String...) {
        guard socket >= 0 else { return }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + address.count } ?? 0
        let bytes = Array(state.joined(separator: "\n").utf8)
        _ = withUnsafeBytes(of: &target) { target in
            target.withMemoryRebound(to: sockaddr.self) {
                sendto(socket, bytes, bytes.count, 0, $0.baseAddress, socklen_t(length))
            }
        }
    }

    /// Asks for more time until `started`: a migration may take longer than systemd's timeout for a start.
    func start(_ status: String) {
        notify("STATUS=\(status)", "EXTEND_TIMEOUT_USEC=\(Self.extended.inMilliseconds * 1000)")
        starting?.run(after: Self.extensionInterval, for: self) { [weak self] in self?.start(status) }
    }

    func started(_ status: String) {
        // On the thread, so that it runs after an extension in progress and replaces the next one.
        starting?.runAndWait { [self] in starting?.run(after: .seconds(1 << 30), for: self) {} }
        notify("READY=1", "STATUS=\(status)")
    }

    /// Announces that the configuration is being reloaded. `started` must follow.
    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        notify("RELOADING=1", "MONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }
}
