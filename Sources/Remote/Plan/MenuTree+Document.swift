import Foundation
import QuickActions

extension MenuTree {
    /// The documents in the format of `POST /admin/v1/apply`, by app.
    var applied: JSON {
        .object(
            documents.map { app, files in
                var parts: [JSON.Member] = []
                var (sets, releases): ([JSON.Member], [JSON.Member]) = ([], [])
                for (name, file) in files {
                    switch name {
                    case .app: parts.append(JSON.Member("app", file.document))
                    case .set(let name): sets.append(JSON.Member(Text(name.description), file.document))
                    case .release(let id): releases.append(JSON.Member(Text(id.description), file.document))
                    }
                }
                if !sets.isEmpty { parts.append(JSON.Member("sets", .object(sets))) }
                if !releases.isEmpty { parts.append(JSON.Member("releases", .object(releases))) }
                return JSON.Member(Text(app.description), .object(parts))
            })
    }
}

extension TreeFile {
    /// In the format that the service accepts.
    fileprivate var document: JSON {
        switch content {
        case .json(let json): json
        case .infoPlist(let bytes): ["infoPlist": .string(Data(bytes).base64EncodedString())]
        }
    }
}
