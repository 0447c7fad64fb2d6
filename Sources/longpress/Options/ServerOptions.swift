import ArgumentParser
import Foundation
import Remote

/// The options of commands that connect to a running service.
struct ServerOptions: ParsableArguments {
    @Option(help: "A running service, such as https://menus.example.com (LONGPRESS_SERVER). LONGPRESS_TOKEN is the token.")
    var server: String?
    @Option(help: "A file with the token, instead of LONGPRESS_TOKEN.")
    var tokenFile: String?
    @Option(help: "A PEM file of certificate authorities to trust, in addition to those of the system.")
    var ca: String?

    /// Nil if no server is given.
    func named() throws(RemoteFailure) -> RemoteService? {
        let environment = ProcessInfo.processInfo.environment
        guard let text = server ?? environment["LONGPRESS_SERVER"].flatMap({ $0.isEmpty ? nil : $0 }) else {
            guard tokenFile == nil, ca == nil else {
                throw RemoteFailure("\(tokenFile == nil ? "--ca" : "--token-file") works only with a running service. Add --server.")
            }
            return nil
        }
        return RemoteService(
            try ServerAddress(text), token: try token(environment["LONGPRESS_TOKEN"]), transport: try transport(), progress: ProgressLine())
    }

    /// - Throws: a sentence if no server is given.
    func required() throws(RemoteFailure) -> RemoteService {
        guard let service = try named() else { throw Self.noneNamed }
        return service
    }

    static let noneNamed = RemoteFailure(
        "No service is set. Add --server, for example https://menus.example.com, or set LONGPRESS_SERVER.")

    private func token(_ variable: String?) throws(RemoteFailure) -> AccessToken {
        if let tokenFile {
            return try AccessToken(String(decoding: LocalFile.read(tokenFile, atMost: 1 << 16), as: UTF8.self), from: tokenFile)
        }
        return try variable.map { variable throws(RemoteFailure) in try AccessToken(variable, from: "LONGPRESS_TOKEN") } ?? .none
    }

    private func transport() throws(RemoteFailure) -> any Transport {
        #if SERVER
            return try CurlTransport(trusting: ca)
        #elseif canImport(Security)
            return try SessionTransport(trusting: ca)
        #else
            if let ca {
                throw RemoteFailure("--ca is not supported by this build. Add \(ca) to the system's certificate authorities.")
            }
            return SessionTransport()
        #endif
    }
}
