import API
import HTTP
import Platform
import QuickActions
import Shortcuts

extension AddressBlock {
    /// Whether the block covers all addresses of IPv4 or of IPv6.
    var isEverything: Bool { description.hasSuffix("/0") }
}

/// Reads settings and collects the problems.
struct SettingReader {
    private let values: SettingValues
    private(set) var problems: [String] = []

    init(_ values: SettingValues) {
        self.values = values
    }

    /// Passes the setting's text, if it is given, and notes the error.
    mutating func read(_ setting: Setting, _ body: (String) throws(TextError) -> Void) {
        guard let text = values[setting] else { return }
        do throws(TextError) {
            try body(text)
        } catch {
            note(setting, error.description)
        }
    }

    /// Reads the admin token, or the file whose first line it is.
    mutating func readAdminToken() -> String? {
        var token: String?
        func check(_ text: String, _ source: String) throws(TextError) {
            guard text.count >= 32 else { throw TextError("\(source) is not a token of at least 32 characters.") }
            token = text
        }
        guard values[.adminTokenFile] != nil else {
            read(.adminToken) { text throws(TextError) in try check(text, "The value given") }
            return token
        }
        let isGivenTwice = values[.adminToken] != nil
        read(.adminTokenFile) { path throws(TextError) in
            guard !isGivenTwice else { throw TextError("--admin-token is set, too. Set only one of them.") }
            try check(try SecretFile.firstLine(of: path), "The first line of \(path)")
        }
        return token
    }

    /// Reads the database, with the password from a file if there is one. A SQLite database has no password.
    mutating func readDatabase(into name: inout DatabaseName) {
        read(.database) { text throws(TextError) in name = try DatabaseName(text) }
        if let uri = withPassword(name.uri) { name = .postgres(uri) }
    }

    /// The URI with the password of `--database-password-file`; nil if there is no URI, no file, or an error.
    mutating func withPassword(_ uri: PostgresURI?) -> PostgresURI? {
        guard let uri, let path = values[.databasePasswordFile] else { return nil }
        do throws(TextError) {
            guard !uri.hasPassword, !values.hasLibpqPassword else {
                throw TextError("The URI or PGPASSWORD has a password, too. Set only one of them.")
            }
            return uri.adding(password: try SecretFile.firstLine(of: path))
        } catch {
            note(.databasePasswordFile, error.description)
            return nil
        }
    }

    /// Reads the sign-in through a proxy, which requires a header, proxies and roles. Nil without them, or after a problem was noted.
    mutating func readProxySignIn() -> ProxySignIn? {
        let settings: [Setting] = [.signInHeader, .signInProxies, .signInRoles]
        guard (settings + [.signInGroupsHeader]).contains(where: { values[$0] != nil }) else { return nil }
        for missing in settings where values[missing] == nil {
            note(missing, "It is not set. Sign-in through a proxy requires the header, the proxies and the roles.")
        }
        var (header, groupsHeader, proxies, roles) = ("", String?.none, [AddressBlock](), SignInRoles?.none)
        read(.signInHeader) { text throws(TextError) in header = try headerName(text) }
        read(.signInGroupsHeader) { text throws(TextError) in groupsHeader = try headerName(text, otherThan: header) }
        read(.signInProxies) { text throws(TextError) in
            proxies = try AddressBlock.blocks(parsing: text)
            guard !proxies.isEmpty, !proxies.contains(where: \.isEverything) else {
                throw TextError("\(quoted(text)) covers \(proxies.isEmpty ? "no" : "every") address. List only the proxies.")
            }
        }
        readRoles(into: &roles)
        return roles.map { ProxySignIn(header: header, groupsHeader: groupsHeader, proxies: proxies, roles: $0) }
    }

    /// Notes each violation in the file of roles.
    private mutating func readRoles(into roles: inout SignInRoles?) {
        guard let path = values[.signInRoles] else { return }
        do throws(FileError) {
            let bytes = try FileBytes.read(path, atMost: 1 << 20)
            do throws(Failure) {
                roles = try SignInRolesDocument(JSON(document: bytes, named: path)).checked()
            } catch {
                if error.violations.isEmpty { note(.signInRoles, error.detail) }
                for violation in error.violations { note(.signInRoles, "\(path), \(violation.path): \(violation.message)") }
            }
        } catch {
            note(.signInRoles, error.description)
        }
    }

    private mutating func note(_ setting: Setting, _ problem: String) {
        problems.append("--\(setting.name) (\(setting.environmentName)): \(problem.withoutUserInfo)")
    }
}

/// A header whose value is not secret. It must not be a header that the service itself uses.
private func headerName(_ text: String, otherThan other: String = "") throws(TextError) -> String {
    let used = ["authorization", "cookie", "host", "forwarded", "x-forwarded-for", "x-forwarded-proto", "x-request-id", "origin"]
    let isName = (1...100).contains(text.utf8.count) && text.utf8.allSatisfy(ByteClass.token.contains)
    guard isName, !used.contains(text.lowercased()), text.lowercased() != other.lowercased() else {
        throw TextError("\(quoted(text.withoutCredentials)) is not a header that only the proxy sets, such as X-Forwarded-Email.")
    }
    return text
}

/// The given settings as text, with their origin. A flag takes precedence over the environment, and the environment over the file.
package struct SettingValues: Sendable {
    package enum Origin {
        case flag, environment, file
    }

    private let values: [Setting: (text: String, origin: Origin)]
    /// Whether the environment has a password that libpq itself reads.
    let hasLibpqPassword: Bool

    package init(flags: [Setting: String], environment: [String: String], file: [Setting: String] = [:]) {
        var values: [Setting: (text: String, origin: Origin)] = [:]
        for setting in Setting.allCases {
            if let text = flags[setting] {
                values[setting] = (text, .flag)
            } else if let text = environment[setting.environmentName] {
                values[setting] = (text, .environment)
            } else if let text = file[setting] {
                values[setting] = (text, .file)
            }
        }
        self.values = values
        hasLibpqPassword = environment["PGPASSWORD"] != nil
    }

    subscript(setting: Setting) -> String? { values[setting]?.text }

    package func origin(of setting: Setting) -> Origin? { values[setting]?.origin }
}

extension SettingValues: CustomReflectable {
    /// Empty: the values may be secrets.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Environment variables that begin with `LONGPRESS_` but are not settings. Without a warning, a misspelled variable would silently leave a
/// default in effect.
package enum UnknownVariables {
    /// The variables that the command reads to connect to a running service.
    private static let remote = ["LONGPRESS_SERVER", "LONGPRESS_TOKEN"]

    /// A warning for each variable, sorted by name.
    package static func warnings(in environment: [String: String]) -> [String] {
        let prefix = "LONGPRESS_"
        // Without the common prefix, which would make all names similar for `nearestName`.
        let known = (Setting.allCases.map(\.environmentName) + [ConfigurationFile.environmentName] + remote).map {
            String($0.dropFirst(prefix.count))
        }
        return environment.sorted { $0.key < $1.key }.compactMap { name, value in
            let end = String(name.dropFirst(prefix.count))
            guard name.hasPrefix(prefix), !known.contains(end), !isOfKubernetes(name, value) else { return nil }
            let nearest = nearestName(to: end, among: known).map { " Did you mean \(prefix)\($0)?" } ?? ""
            return "\(name) is not a setting and was ignored.\(nearest)"
        }
    }

    /// Whether Kubernetes sets the variable: a Service named longpress or longpress-admin adds such variables to each container.
    private static func isOfKubernetes(_ name: String, _ value: String) -> Bool {
        if name.hasSuffix("_SERVICE_HOST") || name.contains("_SERVICE_PORT") { return true }
        if name.hasSuffix("_PORT") { return ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) } }
        return name.contains("_PORT_") && ["_TCP", "_UDP", "_SCTP"].contains { name.contains($0) }
    }
}
