import CCurl

extension Dispatcher {
    /// The version of libcurl that this process is linked with at run time.
    package static var libcurlVersion: String {
        curl_version_info(CURLVERSION_FIRST).map { String(cString: $0.pointee.version) } ?? "unknown"
    }
}
