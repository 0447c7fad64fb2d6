import ArgumentParser
import Remote

/// The options of `plan` and `apply` that say what of a tree is sent.
struct TreeOptions: ParsableArguments {
    @Option(name: .customLong("strings"), help: "A String Catalog with keys of the tree; may be repeated.")
    var catalogs: [String] = []
    @Flag(help: "Delete sets that are not in the tree.")
    var prune = false

    /// Reads the tree with its catalogs; prints what they lack.
    func tree(at folder: String) throws(RemoteFailure) -> MenuTree {
        let catalogs = try StringCatalogs(catalogs)
        let (tree, notes) = try MenuTree.read(folder, catalogs)
        for note in notes { printMessage("longpress: \(note)") }
        return tree
    }
}
