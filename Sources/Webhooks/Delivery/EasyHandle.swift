import CCurl

/// Owns one `CURL` easy handle. Only the transfer loop's thread uses it.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer

    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
    }

    /// Clears all options. Open connections stay, because they belong to the multi handle.
    func reset() { curl_easy_reset(pointer) }

    func set(_ option: CURLoption, _ value: Int) { ccurl_set_long(pointer, option, value) }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ value: String) { ccurl_set_string(pointer, option, value) }

    /// The list must outlive the transfer.
    func set(_ option: CURLoption, _ value: HeaderList) { ccurl_set_list(pointer, option, value.pointer) }

    /// libcurl copies the bytes.
    func set(_ option: CURLoption, _ value: [UInt8]) { ccurl_set_blob(pointer, option, value, value.count) }

    /// libcurl copies the bytes.
    func setBody(_ bytes: [UInt8]) {
        ccurl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, bytes.count)
        bytes.withUnsafeBytes { buffer in
            // Nil would mean "read the body from a callback".
            _ =
                buffer.isEmpty
                ? ccurl_set_string(pointer, CURLOPT_COPYPOSTFIELDS, "")
                : ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, buffer.baseAddress)
        }
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(pointer, info, &value)
        return value
    }

    func microseconds(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        ccurl_get_offset(pointer, info, &value)
        return Int64(value)
    }
}

/// Owns a `curl_slist`.
final class HeaderList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        for line in lines {
            // NULL when out of memory: the list is unchanged.
            if let longer = curl_slist_append(pointer, line) { pointer = longer }
        }
    }

    deinit {
        curl_slist_free_all(pointer)
    }
}

/// libcurl's process-wide initialization, and its build-time settings.
enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// The system's folder of certificate authorities, which stays trusted when a bundle is added.
    static let authorityFolder: String = {
        ccurl_authority_folder().map { String(cString: $0) } ?? "/etc/ssl/certs"
    }()
}
