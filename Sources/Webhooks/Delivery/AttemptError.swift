import CCurl
import Glibc
import QuickActions

/// The sentences with which the delivery log explains failed attempts.
enum AttemptError {
    static let tooManyFields = "The answer had more than 64 KiB of header fields."
    static let unreadableSecret = "The endpoint's signing secret cannot be read. Rotate it."
    static let endedEarly = "The endpoint closed the connection in the middle of its answer."
    static let noTransfer = "The service could not start a transfer."

    static func refused(_ address: IPAddress) -> String {
        "Webhooks are not sent to the address \(address), so the service did not connect to it."
    }

    static func lookupTimedOut(_ limit: Duration) -> String {
        "The host name could not be looked up within \(limit.text)."
    }

    static func sentence(for code: CURLcode, of easy: EasyHandle, _ configuration: Dispatcher.Configuration) -> String {
        switch code {
        case CURLE_COULDNT_CONNECT: connection(errno: Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO)))
        case CURLE_OPERATION_TIMEDOUT: timeout(of: easy, configuration)
        case CURLE_PEER_FAILED_VERIFICATION: "The endpoint's TLS certificate could not be verified."
        case CURLE_SSL_CONNECT_ERROR: "The TLS handshake with the endpoint failed."
        case CURLE_SSL_CACERT_BADFILE: "The service's certificate authorities could not be read."
        case CURLE_GOT_NOTHING: "The endpoint closed the connection without an answer."
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: "The endpoint reset the connection."
        case CURLE_PARTIAL_FILE: endedEarly
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: "The endpoint's answer is not HTTP."
        case CURLE_COULDNT_RESOLVE_HOST: "The host name could not be looked up."
        default: "The transfer failed: \(String(cString: curl_easy_strerror(code)))."
        }
    }

    private static func connection(errno code: Int32) -> String {
        switch code {
        case ECONNREFUSED: "The endpoint refused the connection."
        case ENETUNREACH, EHOSTUNREACH: "There is no route to the endpoint."
        case EMFILE, ENFILE: "The service has reached its limit of open files and could not connect."
        default: "The service could not connect to the endpoint."
        }
    }

    private static func timeout(of easy: EasyHandle, _ configuration: Dispatcher.Configuration) -> String {
        if easy.microseconds(CURLINFO_PRETRANSFER_TIME_T) == 0 {
            return "The service could not connect within \(configuration.connectTimeout.text)."
        }
        return easy.long(CURLINFO_RESPONSE_CODE) == 0
            ? "No answer came within \(configuration.timeout.text)."
            : "The answer did not end within \(configuration.timeout.text)."
    }
}
