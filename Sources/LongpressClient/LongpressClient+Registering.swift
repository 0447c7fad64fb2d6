internal import QuickActions

extension LongpressClient {
    /// What an app should have registered, and for which audience; read together, so that they fit.
    package var registrable: (menu: QuickActionMenu?, audience: String?) {
        let menu = menu
        return (menu, (try? installation.get())?.audience.description)
    }
}
