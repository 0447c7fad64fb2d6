import Foundation

/// Standard base64 with padding, RFC 4648 section 4.
func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
}

/// base64url without padding, RFC 4648 section 5.
package func base64URL(_ bytes: [UInt8]) -> String {
    base64(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}
