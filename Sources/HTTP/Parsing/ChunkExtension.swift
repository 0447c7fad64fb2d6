/// Checks `*( BWS ";" BWS name [ BWS "=" BWS value ] )` byte by byte (RFC 9112 7.1.1). What it says is ignored.
struct ChunkExtension: Sendable {
    private enum Place: Sendable {
        case beforeSemicolon, beforeName, name, afterName, beforeValue, value, quoted, escaped, afterValue
    }

    private var place = Place.beforeSemicolon

    /// Whether a line may end here.
    var mayEnd: Bool {
        switch place {
        case .name, .value, .afterValue: true
        case .beforeSemicolon, .beforeName, .afterName, .beforeValue, .quoted, .escaped: false
        }
    }

    /// Takes one more byte; false where it does not belong here.
    mutating func take(_ byte: UInt8) -> Bool {
        let isToken = ByteClass.token.contains(byte)
        let isBlank = Ascii.isBlank(byte)
        switch place {
        case .beforeSemicolon where byte == Ascii.semicolon: place = .beforeName
        case .beforeName where isToken: place = .name
        case .name where isToken: break
        case .name where isBlank: place = .afterName
        case .name where byte == Ascii.equals, .afterName where byte == Ascii.equals: place = .beforeValue
        case .beforeValue where isToken: place = .value
        case .beforeValue where byte == Ascii.quote: place = .quoted
        case .value where isToken: break
        case .quoted where byte == Ascii.quote: place = .afterValue
        case .quoted where byte == Ascii.backslash: place = .escaped
        case .quoted where ByteClass.isFieldValue(byte): break
        case .escaped where ByteClass.isFieldValue(byte): place = .quoted
        case .value where isBlank: place = .afterValue
        case .name where byte == Ascii.semicolon, .afterName where byte == Ascii.semicolon,
            .value where byte == Ascii.semicolon, .afterValue where byte == Ascii.semicolon:
            place = .beforeName
        case .beforeSemicolon, .beforeName, .afterName, .beforeValue, .afterValue: return isBlank
        case .name, .value, .quoted, .escaped: return false
        }
        return true
    }
}
