extension TreePull {
    /// Performs the steps of a pull. Files are written before others are removed, so that a failure loses nothing.
    package static func perform(_ steps: [Step]) throws(RemoteFailure) {
        for case .write(let path, let bytes) in steps { try LocalFile.write(bytes, to: path) }
        for case .remove(let path) in steps { try LocalFile.remove(path) }
    }
}
