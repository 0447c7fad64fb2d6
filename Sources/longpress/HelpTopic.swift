import Foundation

/// A page of `longpress help TOPIC` that is not about one command.
enum HelpTopic: String, CaseIterable {
    case exitCodes = "exit-codes"
    case tree
    case settings

    /// Nil if the arguments do not ask for a topic.
    init?(_ arguments: some Collection<String>) {
        let words = Array(arguments)
        guard words.count == 2, words[0] == "help" else { return nil }
        self.init(rawValue: words[1])
    }

    /// The list of topics, for the help of the program.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    var page: String {
        switch self {
        case .exitCodes: Self.exitCodesPage
        case .tree: Self.treePage
        case .settings: Self.settingsPage
        }
    }

    private static let exitCodesPage = """
        EXIT CODES

        check   0  the release passes
                2  it does not; with --strict, warnings count, too
        plan    0  an apply would write nothing
                2  an apply would write, or a conflict must be decided
        pull    0  the tree is up to date with the service
                2  a conflict is left, in a file that ends in .theirs
        serve   2  the configuration is invalid

        All commands:

        0   done
        1   the command could not do its work; standard error says why
        64  the arguments are invalid
        """

    private static let treePage = """
        THE LAYOUT OF A TREE

        menus/
          com.example.mail/
            app.json                  {"name", "defaultLanguage", "fallbackURL", "approvals"}
            sets/2.0.0.json           the menu from version 2.0.0 on, for everyone
            sets/2.0.0@member.json    the menu for the audience member
            releases/3.0.0+512.json   a release: version and build
            releases/3.0.0.plist      a release: the built Info.plist

        Names with a leading dot, *.md, *.txt and *.theirs are ignored. Any other file is an error.

        A title may be a key of a String Catalog, {"key": "shortcut.compose"}, with --strings Localizable.xcstrings.

        longpress pull writes a tree, longpress plan compares it with a service, and longpress apply publishes what changed in it.
        """

    private static let settingsPage = """
        SETTINGS

        An option overrides its environment variable, and the variable overrides the file that --config names.

        longpress serve --listen 0.0.0.0:8080
        LONGPRESS_LISTEN=0.0.0.0:8080 longpress serve
        {"listen": "0.0.0.0:8080"}                      in the file of --config

        longpress help serve lists the settings of the service.

        Commands that use a running service read LONGPRESS_SERVER and LONGPRESS_TOKEN, unless --server and --token-file say otherwise.
        LONGPRESS_DATABASE names a database.
        """
}
