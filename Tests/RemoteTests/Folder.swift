import Foundation

/// A temporary folder with files. It is removed with the value.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("longpress-tests-\(UUID().uuidString)").path

    /// - Parameter files: their contents by their paths below the folder; nil for a folder.
    init(_ files: [String: String?]) throws {
        for (name, text) in files {
            let url = URL(fileURLWithPath: path).appendingPathComponent(name)
            let folder = text == nil ? url : url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.map { try Data($0.utf8).write(to: url) }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
