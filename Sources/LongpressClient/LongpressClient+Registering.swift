internal import QuickActions

extension LongpressClient {
    /// The menu to register and its audience. They are read in one step, so that they belong together.
    package var registrable: (menu: QuickActionMenu?, audience: String?) {
        let menu = menu
        return (menu, (try? installation.get())?.audience.description)
    }
}
