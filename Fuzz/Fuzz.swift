import Foundation

/// What is fuzzed; the environment variable LONGPRESS_FUZZ names one of them.
enum Target: String, CaseIterable {
    /// A request, whole and cut at random: both say the same.
    case request
    /// A chunked body, likewise.
    case chunks
    /// `If-None-Match` as the fetch path reads it and as every other route does, and the negotiation fields.
    case fields
    /// A JSON document of each kind; what is accepted is the same when it is read again.
    case document
    /// A tap, or a report of taps, by a client of a known menu.
    case tap
    /// An Info.plist, XML or binary.
    case plist
    /// Versions, builds, language tags, ids and URLs: what is accepted is the same when it is read again.
    case values

    static let chosen = ProcessInfo.processInfo.environment["LONGPRESS_FUZZ"].flatMap(Target.init(rawValue:))

    func run(_ bytes: [UInt8]) {
        switch self {
        case .request: fuzzRequest(bytes)
        case .chunks: fuzzChunks(bytes)
        case .fields: fuzzFields(bytes)
        case .document: fuzzDocument(bytes)
        case .tap: fuzzTap(bytes)
        case .plist: fuzzPropertyList(bytes)
        case .values: fuzzValues(bytes)
        }
    }
}

/// Ends the run with a finding unless `condition` holds.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    precondition(condition, what())
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = Target.chosen else {
        print("Set LONGPRESS_FUZZ to one of: \(Target.allCases.map(\.rawValue).joined(separator: ", ")).")
        exit(2)
    }
    target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
