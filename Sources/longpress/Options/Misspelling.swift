import ArgumentParser
import QuickActions

/// A subcommand in the arguments that does not exist. ArgumentParser would call it an unexpected argument.
struct Misspelling {
    /// Two sentences for a terminal.
    let message: String

    /// Nil if the arguments begin with existing subcommands.
    init?(in arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        var (command, path) = (root, root._commandName)
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
            if word == "help", command == root { continue }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                let nearest = nearestName(to: word, among: subcommands.map { $0._commandName })
                let remedy = nearest.map { "Did you mean \(path) \($0)?" } ?? "\(path) --help lists the commands."
                message = "\(quoted(word)) is not a command of \(path). \(remedy)"
                return
            }
            (command, path) = (next, "\(path) \(next._commandName)")
        }
        return nil
    }
}
