/// A state machine that checks the syntax of chunk extensions, `*( BWS ";" BWS name [ BWS "=" BWS value ] )` (RFC 9112 7.1.1). They are
/// ignored.
struct ChunkExtension: Sendable {
    private enum State: Sendable {
        case beforeSemicolon, beforeName, name, afterName, beforeValue, value, quoted, escaped, afterValue
    }

    private var state = State.beforeSemicolon

    /// Whether the line may end in this state.
    var canEnd: Bool {
        switch state {
        case .name, .value, .afterValue: true
        case .beforeSemicolon, .beforeName, .afterName, .beforeValue, .quoted, .escaped: false
        }
    }

    /// Consumes one byte; false if the syntax does not allow it.
    mutating func consume(_ byte: UInt8) -> Bool {
        let isToken = ByteClass.token.contains(byte)
        let isBlank = Ascii.isBlank(byte)
        switch state {
        case .beforeSemicolon where byte == Ascii.semicolon: state = .beforeName
        case .beforeName where isToken: state = .name
        case .name where isToken: break
        case .name where isBlank: state = .afterName
        case .name where byte == Ascii.equals, .afterName where byte == Ascii.equals: state = .beforeValue
        case .beforeValue where isToken: state = .value
        case .beforeValue where byte == Ascii.quote: state = .quoted
        case .value where isToken: break
        case .quoted where byte == Ascii.quote: state = .afterValue
        case .quoted where byte == Ascii.backslash: state = .escaped
        case .quoted where ByteClass.isFieldValue(byte): break
        case .escaped where ByteClass.isFieldValue(byte): state = .quoted
        case .value where isBlank: state = .afterValue
        case .name where byte == Ascii.semicolon, .afterName where byte == Ascii.semicolon,
            .value where byte == Ascii.semicolon, .afterValue where byte == Ascii.semicolon:
            state = .beforeName
        case .beforeSemicolon, .beforeName, .afterName, .beforeValue, .afterValue: return isBlank
        case .name, .value, .quoted, .escaped: return false
        }
        return true
    }
}
