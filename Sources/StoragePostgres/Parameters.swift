import CPQ
import SQL

/// The values of one statement in libpq's form: binary, one after another in one buffer.
///
/// The types are sent too, because PostgreSQL would treat an untyped value in an expression as text. NULL has no type.
struct Parameters {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private(set) var types: [Oid] = []
    private var lengths: [Int32] = []

    init(_ values: [SQLValue]) {
        for value in values {
            let start = bytes.count
            switch value {
            case .null:
                types.append(0)
            case .integer(let integer):
                types.append(TypeID.int8)
                withUnsafeBytes(of: integer.bigEndian) { bytes += $0 }
            case .text(let text):
                types.append(TypeID.text)
                bytes += text.utf8
            case .blob(let blob):
                types.append(TypeID.bytea)
                bytes += blob
            }
            offsets.append(value == .null ? nil : start)
            lengths.append(Int32(bytes.count - start))
        }
        // An empty buffer has no address, which would mean NULL.
        bytes.append(0)
    }

    var count: Int32 { Int32(types.count) }

    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let base = buffer.bindMemory(to: CChar.self).baseAddress
            let pointers = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
            let formats = [Int32](repeating: 1, count: types.count)
            return pointers.withUnsafeBufferPointer { pointers in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress) }
                }
            }
        }
    }
}

/// The object ids of the types in the schema (pg_type.dat). They are the same in every server.
enum TypeID {
    static let (boolean, bytea, int8, int2, int4, text): (Oid, Oid, Oid, Oid, Oid, Oid) = (16, 17, 20, 21, 23, 25)
}
