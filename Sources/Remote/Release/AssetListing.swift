import Foundation
import QuickActions

/// The images and symbols in an app's bundle, read from the files of a build: a folder with asset catalogs and loose images, the output of
/// `assetutil --info Assets.car`, or a list of names, one a line or as a JSON array.
package struct AssetListing: Sendable {
    private var images: Set<Text> = []
    private var symbols: Set<Text> = []

    package init(paths: [String]) throws(RemoteFailure) {
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw RemoteFailure(path, cannotBe: "read", POSIXError(.ENOENT))
            }
            let url = URL(fileURLWithPath: path)
            isFolder.boolValue ? try walk(url, inCatalog: url.pathExtension == "xcassets", prefix: "") : try read(path)
        }
    }

    /// The names, ascending.
    package var names: (images: [Text], symbols: [Text]) { (images.sorted(), symbols.sorted()) }

    var imageNames: JSON { .array(names.images.map { .string($0) }) }
    var symbolNames: JSON { .array(names.symbols.map { .string($0) }) }
}

extension AssetListing {
    private mutating func walk(_ folder: URL, inCatalog: Bool, prefix: String) throws(RemoteFailure) {
        let keys: [URLResourceKey] = [.isDirectoryKey, .isRegularFileKey]
        guard
            let entries = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: keys, options: .skipsHiddenFiles)
        else { throw RemoteFailure(folder.path, cannotBe: "read", POSIXError(access(folder.path, R_OK | X_OK) == 0 ? .EIO : .EACCES)) }
        for entry in entries {
            // A symbolic link counts neither as a directory nor as a file here, so that cycles end.
            let kind = try? entry.resourceValues(forKeys: Set(keys))
            let name = entry.deletingPathExtension().lastPathComponent
            if kind?.isDirectory == true {
                switch entry.pathExtension {
                case "imageset": images.insert(Text(prefix + name))
                case "symbolset": symbols.insert(Text(prefix + name))
                case "xcassets": try walk(entry, inCatalog: true, prefix: "")
                case let kind where inCatalog && !kind.isEmpty: break
                default: try walk(entry, inCatalog: inCatalog, prefix: prefix + (entry.providesNamespace ? name + "/" : ""))
                }
            } else if !inCatalog, kind?.isRegularFile == true, ["png", "pdf", "svg"].contains(entry.pathExtension.lowercased()) {
                images.insert(Text(name.withoutVariant))
            }
        }
    }

    private mutating func read(_ path: String) throws(RemoteFailure) {
        let bytes = try LocalFile.read(path, atMost: 16 << 20)
        guard !bytes.contains(0), let text = String(bytes: bytes, encoding: .utf8) else {
            throw RemoteFailure("\(path) is not a text file. For a compiled catalog, pass the output of assetutil --info Assets.car.")
        }
        let first = text.first { !$0.isWhitespace }
        guard first != "{" else {
            throw RemoteFailure("\(path) is not a list of assets. Pass a folder, the output of assetutil --info, or a list of names.")
        }
        guard first == "[" else {
            let names = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            for name in names where !name.isEmpty { take(named: Text(name)) }
            return
        }
        try take(LocalFile.json(bytes, named: path))
    }

    /// A plain name counts as an image and as a symbol.
    private mutating func take(named name: Text) {
        images.insert(name)
        symbols.insert(name)
    }

    /// An array of names, or the output of `assetutil --info`: an object about the catalog, then one per rendition.
    private mutating func take(_ listed: JSON) {
        guard case .array(let elements) = listed else { return }
        for element in elements {
            switch element {
            case .string(let name): take(named: name)
            case .object(let rendition): take(rendition)
            case .null, .boolean, .integer, .real, .outOfRange, .array: break
            }
        }
    }

    private mutating func take(_ rendition: [JSON.Member]) {
        guard let name = rendition.text("Name"), let type = rendition.text("AssetType")?.string else { return }
        if type.contains("Glyph") || type.contains("Symbol") {
            symbols.insert(name)
        } else if type.contains("Image") || type.contains("Vector") {
            images.insert(name)
        }
    }
}

extension URL {
    /// Whether a group of a catalog provides a namespace, which becomes part of the names in it.
    fileprivate var providesNamespace: Bool {
        guard let bytes = try? LocalFile.read(appendingPathComponent("Contents.json").path, atMost: 1 << 20),
            case .boolean(true)? = (try? JSONReader.read(bytes))?["properties"]?["provides-namespace"]
        else { return false }
        return true
    }
}

extension String {
    /// `Compose@2x~ipad` is the image `Compose`.
    fileprivate var withoutVariant: String {
        var name = self
        for suffix in ["~ipad", "~iphone", "@2x", "@3x"] where name.hasSuffix(suffix) { name.removeLast(suffix.count) }
        return name
    }
}
