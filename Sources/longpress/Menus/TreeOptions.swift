import ArgumentParser
import Remote

/// The options of `plan` and `apply` that select the parts of a tree to send.
struct TreeOptions: ParsableArguments {
    @Option(name: .customLong("strings"), help: "A String Catalog with keys of the tree; may be repeated.")
    var catalogs: [String] = []
    @Flag(help: "Delete sets that are not in the tree.")
    var prune = false

    /// Reads the tree with its catalogs, and prints the languages that are missing.
    func tree(at folder: String) throws(RemoteFailure) -> MenuTree {
        let catalogs = try StringCatalogs(catalogs)
        let (tree, notes) = try MenuTree.read(folder, catalogs)
        for note in notes { printMessage("longpress: \(note)") }
        return tree
    }
}
