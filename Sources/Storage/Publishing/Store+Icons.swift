import QuickActions
import Shortcuts

extension Store {
    package func icon(of app: AppID) throws(Failure) -> [UInt8]? {
        try database.read { connection throws(Failure) in try connection.icon(of: app) }
    }

    package func putIcon(
        _ icon: AppIcon?, of id: AppID, by author: Author, expecting writeCondition: WriteCondition
    ) throws(Failure) -> (app: App, isNew: Bool) {
        try write { transaction throws(Failure) in
            let previous = try transaction.requireApp(id)
            try writeCondition.require(previous.icon, state: previous.icon == nil ? "The app has no icon" : "The icon has changed")
            var app = previous
            app.icon = icon?.tag
            guard app != previous else { return (app, false) }
            try transaction.put(app)
            try transaction.connection.put(icon?.png, asIconOf: id)
            try transaction.log(
                AuditEntry(
                    author: author, action: .appUpdated, app: id, target: .app(id, name: app.name),
                    detail: AuditDetail(from: previous.json, to: app.json)))
            return (app, previous.icon == nil)
        }
    }
}

extension SQLConnection {
    func icon(of app: AppID) throws(Failure) -> [UInt8]? {
        try first("SELECT png FROM app_icons WHERE app = ?", [SQLValue(app)], as: [UInt8].self)
    }

    /// - Parameter png: nil deletes the icon.
    func put(_ png: [UInt8]?, asIconOf app: AppID) throws(Failure) {
        guard let png else { return try enqueue("DELETE FROM app_icons WHERE app = ?", [SQLValue(app)]) }
        try enqueue(
            "INSERT INTO app_icons (app, png) VALUES (?, ?) ON CONFLICT (app) DO UPDATE SET png = excluded.png",
            [SQLValue(app), .blob(png)])
    }
}
