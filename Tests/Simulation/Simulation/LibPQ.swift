import Glibc
import SimulationKernel

// The functions of libpq that the product calls, over the simulated server. The numbers are those of libpq-fe.h and pg_type.dat.

private enum Status {
    static let ok: Int32 = 0
    static let bad: Int32 = 1
}

/// What PQgetResult returns.
final class ServerResult {
    enum Kind: Int32 {
        case command = 1, rows = 2, error = 7, sync = 10, aborted = 11
    }

    let kind: Kind
    let rows: [[SQLite.Value]]
    let columns: Int
    private var texts: [UnsafeMutablePointer<CChar>] = []
    private let tag: UnsafeMutablePointer<CChar>
    private let count: UnsafeMutablePointer<CChar>
    private var state: UnsafeMutablePointer<CChar>?
    private var message: UnsafeMutablePointer<CChar>?

    init(_ kind: Kind, tag: String = "", _ rows: [[SQLite.Value]] = [], columns: Int? = nil, written: Int = 0) {
        self.kind = kind
        self.rows = rows
        self.columns = columns ?? rows.first?.count ?? 0
        self.tag = strdup(tag)
        count = strdup(written > 0 ? "\(written)" : tag.hasPrefix("SELECT") ? "\(rows.count)" : "0")
    }

    convenience init(_ error: ServerError) {
        self.init(.error)
        state = strdup(error.state)
        message = strdup(error.message)
    }

    deinit {
        for text in texts { text.deallocate() }
        free(tag)
        free(count)
        free(state)
        free(message)
    }

    var commandTag: UnsafeMutablePointer<CChar> { tag }
    var writtenRows: UnsafeMutablePointer<CChar> { count }
    func field(_ code: Int32) -> UnsafeMutablePointer<CChar>? { code == 67 ? state : code == 77 ? message : nil }

    /// The bytes of the last value that was asked for.
    private var last: (row: Int, column: Int, text: UnsafeMutablePointer<CChar>, count: Int)?

    func text(_ row: Int, _ column: Int) -> (UnsafeMutablePointer<CChar>, Int) {
        if let last, last.row == row, last.column == column { return (last.text, last.count) }
        let bytes: [UInt8]
        switch rows[row][column] {
        case .null: bytes = []
        case .integer(let integer): bytes = Array(String(integer).utf8)
        case .text(let text): bytes = Array(text.utf8)
        case .blob(let blob):
            let digits = Array("0123456789abcdef".utf8)
            bytes = [0x5C, 0x78] + blob.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        }
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
        text[bytes.count] = 0
        texts.append(text)
        last = (row, column, text, bytes.count)
        return (text, bytes.count)
    }

    func type(_ column: Int) -> UInt32 {
        for row in rows {
            switch row[column] {
            case .null: continue
            case .integer: return 20
            case .text: return 25
            case .blob: return 17
            }
        }
        return 25
    }
}

enum LibPQ {
    nonisolated(unsafe) static var server: PostgresServer?
}

private func link(_ pointer: OpaquePointer) -> Link { Unmanaged<Link>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue() }

private func result(_ pointer: OpaquePointer) -> ServerResult {
    Unmanaged<ServerResult>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

typealias Texts = UnsafePointer<UnsafePointer<CChar>?>

@_cdecl("PQconnectdbParams")
func PQconnectdbParams(_ keys: Texts?, _ values: Texts?, _ expand: Int32) -> OpaquePointer? {
    guard let server = LibPQ.server else { return nil }
    let link = Link(server)
    if let refusal = server.connect(link) {
        link.errorMessage = refusal
    } else {
        link.isConnected = true
    }
    return OpaquePointer(Unmanaged.passRetained(link).toOpaque())
}

@_cdecl("PQconninfoParse")
func PQconninfoParse(_ text: UnsafePointer<CChar>, _ error: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { malloc(8) }

@_cdecl("PQconninfoFree")
func PQconninfoFree(_ options: UnsafeMutableRawPointer?) { free(options) }

@_cdecl("PQlibVersion")
func PQlibVersion() -> Int32 { 150_018 }

@_cdecl("PQfinish")
func PQfinish(_ pointer: OpaquePointer) {
    link(pointer).close()
    Unmanaged<Link>.fromOpaque(UnsafeRawPointer(pointer)).release()
}

@_cdecl("PQstatus")
func PQstatus(_ pointer: OpaquePointer) -> Int32 {
    let link = link(pointer)
    return link.isConnected ? Status.ok : Status.bad
}

@_cdecl("PQerrorMessage")
func PQerrorMessage(_ pointer: OpaquePointer) -> UnsafeMutablePointer<CChar>? {
    // The text is read at once; the last one is kept.
    free(lastMessage)
    lastMessage = strdup(link(pointer).errorMessage)
    return lastMessage
}

nonisolated(unsafe) private var lastMessage: UnsafeMutablePointer<CChar>?

@_cdecl("PQserverVersion")
func PQserverVersion(_ pointer: OpaquePointer) -> Int32 { 150_010 }

@_cdecl("PQsocket")
func PQsocket(_ pointer: OpaquePointer) -> Int32 { link(pointer).descriptor }

@_cdecl("PQsetnonblocking")
func PQsetnonblocking(_ pointer: OpaquePointer, _ value: Int32) -> Int32 { 0 }

@_cdecl("PQsetNoticeReceiver")
func PQsetNoticeReceiver(_ pointer: OpaquePointer, _ receiver: UnsafeRawPointer?, _ argument: UnsafeRawPointer?) -> UnsafeRawPointer? {
    nil
}

@_cdecl("PQenterPipelineMode")
func PQenterPipelineMode(_ pointer: OpaquePointer) -> Int32 { 1 }

@_cdecl("PQexitPipelineMode")
func PQexitPipelineMode(_ pointer: OpaquePointer) -> Int32 { 1 }

@_cdecl("PQsendQuery")
func PQsendQuery(_ pointer: OpaquePointer, _ text: UnsafePointer<CChar>) -> Int32 {
    let link = link(pointer)
    guard !link.isBroken else { return lose(link) }
    link.outgoing.append(.script(String(cString: text)))
    return 1
}

@_cdecl("PQsendPrepare")
func PQsendPrepare(
    _ pointer: OpaquePointer, _ name: UnsafePointer<CChar>, _ sql: UnsafePointer<CChar>, _ count: Int32, _ types: UnsafePointer<UInt32>
) -> Int32 {
    let link = link(pointer)
    guard !link.isBroken else { return lose(link) }
    let statement = ServerStatement(String(cString: sql), (0..<Int(count)).map { types[$0] })
    link.statements[String(cString: name)] = statement
    link.outgoing.append(.prepare(String(cString: name), statement))
    return 1
}

@_cdecl("PQsendQueryPrepared")
func PQsendQueryPrepared(
    _ pointer: OpaquePointer, _ name: UnsafePointer<CChar>, _ count: Int32, _ values: Texts?, _ lengths: UnsafePointer<Int32>,
    _ formats: UnsafePointer<Int32>?, _ format: Int32
) -> Int32 {
    let link = link(pointer)
    guard !link.isBroken, let statement = link.statements[String(cString: name)] else { return lose(link) }
    link.outgoing.append(.execute(statement, parameters(statement.types, values, lengths)))
    return 1
}

@_cdecl("PQsendQueryParams")
func PQsendQueryParams(
    _ pointer: OpaquePointer, _ sql: UnsafePointer<CChar>, _ count: Int32, _ types: UnsafePointer<UInt32>, _ values: Texts?,
    _ lengths: UnsafePointer<Int32>, _ formats: UnsafePointer<Int32>?, _ format: Int32
) -> Int32 {
    let link = link(pointer)
    guard !link.isBroken else { return lose(link) }
    let statement = ServerStatement(String(cString: sql), (0..<Int(count)).map { types[$0] })
    link.outgoing.append(.execute(statement, parameters(statement.types, values, lengths)))
    return 1
}

private func lose(_ link: Link) -> Int32 {
    link.isConnected = false
    link.errorMessage = "server closed the connection unexpectedly"
    return 0
}

private func parameters(_ types: [UInt32], _ values: Texts?, _ lengths: UnsafePointer<Int32>) -> [SQLite.Value] {
    types.indices.map { index in
        guard let start = values?[index] else { return .null }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(lengths[index]))
        switch types[index] {
        case 20: return .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        case 25: return .text(String(decoding: bytes, as: UTF8.self))
        default: return .blob([UInt8](bytes))
        }
    }
}

@_cdecl("PQpipelineSync")
func PQpipelineSync(_ pointer: OpaquePointer) -> Int32 {
    let link = link(pointer)
    guard !link.isBroken else { return lose(link) }
    link.outgoing.append(.sync)
    link.flush()
    return 1
}

@_cdecl("PQflush")
func PQflush(_ pointer: OpaquePointer) -> Int32 {
    let link = link(pointer)
    guard !link.isBroken else {
        // What the server sent before the end can still be read.
        link.outgoing = []
        return 0
    }
    link.flush()
    return 0
}

@_cdecl("PQconsumeInput")
func PQconsumeInput(_ pointer: OpaquePointer) -> Int32 {
    let link = link(pointer)
    if link.consume() { return 1 }
    return lose(link)
}

@_cdecl("PQisBusy")
func PQisBusy(_ pointer: OpaquePointer) -> Int32 {
    let link = link(pointer)
    return link.received.isEmpty && link.isConnected ? 1 : 0
}

@_cdecl("PQgetResult")
func PQgetResult(_ pointer: OpaquePointer) -> OpaquePointer? {
    let link = link(pointer)
    guard !link.received.isEmpty else { return nil }
    switch link.received.removeFirst() {
    case .end, .notification: return nil
    case .result(let result): return OpaquePointer(Unmanaged.passRetained(result).toOpaque())
    case .failed(let error): return OpaquePointer(Unmanaged.passRetained(ServerResult(error)).toOpaque())
    }
}

@_cdecl("PQnotifies")
func PQnotifies(_ pointer: OpaquePointer) -> UnsafeMutableRawPointer? {
    let link = link(pointer)
    _ = link.consume()
    guard link.notifications > 0 else { return nil }
    link.notifications -= 1
    return calloc(1, 64)
}

@_cdecl("PQfreemem")
func PQfreemem(_ pointer: UnsafeMutableRawPointer?) { free(pointer) }

@_cdecl("PQclear")
func PQclear(_ pointer: OpaquePointer) {
    Unmanaged<ServerResult>.fromOpaque(UnsafeRawPointer(pointer)).release()
}

@_cdecl("PQresultStatus")
func PQresultStatus(_ pointer: OpaquePointer) -> Int32 { result(pointer).kind.rawValue }

@_cdecl("PQcmdStatus")
func PQcmdStatus(_ pointer: OpaquePointer) -> UnsafeMutablePointer<CChar>? { result(pointer).commandTag }

@_cdecl("PQcmdTuples")
func PQcmdTuples(_ pointer: OpaquePointer) -> UnsafeMutablePointer<CChar>? { result(pointer).writtenRows }

@_cdecl("PQresultErrorField")
func PQresultErrorField(_ pointer: OpaquePointer, _ code: Int32) -> UnsafeMutablePointer<CChar>? { result(pointer).field(code) }

@_cdecl("PQnfields")
func PQnfields(_ pointer: OpaquePointer) -> Int32 { Int32(result(pointer).columns) }

@_cdecl("PQntuples")
func PQntuples(_ pointer: OpaquePointer) -> Int32 { Int32(result(pointer).rows.count) }

@_cdecl("PQgetisnull")
func PQgetisnull(_ pointer: OpaquePointer, _ row: Int32, _ column: Int32) -> Int32 {
    if case .null = result(pointer).rows[Int(row)][Int(column)] { 1 } else { 0 }
}

@_cdecl("PQgetvalue")
func PQgetvalue(_ pointer: OpaquePointer, _ row: Int32, _ column: Int32) -> UnsafeMutablePointer<CChar>? {
    result(pointer).text(Int(row), Int(column)).0
}

@_cdecl("PQgetlength")
func PQgetlength(_ pointer: OpaquePointer, _ row: Int32, _ column: Int32) -> Int32 {
    Int32(result(pointer).text(Int(row), Int(column)).1)
}

@_cdecl("PQftype")
func PQftype(_ pointer: OpaquePointer, _ column: Int32) -> UInt32 { result(pointer).type(Int(column)) }
