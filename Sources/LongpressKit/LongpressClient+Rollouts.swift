extension LongpressClient {
    /// The arm of the shown menu; nil if the menu is without a roll-out.
    var shownArm: ChosenArm? {
        load()
        guard let choice = knownMenu?.choice, menu?.rollout != nil else { return nil }
        return choice
    }

    /// Made when the first roll-out is fetched. Read from the storage each time, because another process may have made it.
    var installationID: InstallationID {
        if let stored = read("installation").flatMap({ InstallationID($0) }) { return stored }
        let id = unsavedID ?? InstallationID()
        unsavedID = id
        save(id.file, as: "installation")
        return id
    }
}
