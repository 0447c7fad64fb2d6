/// Routes by their segments. A literal segment is tried before a parameter.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var routes: [(method: Method, route: Int)] = []
    }

    private var nodes = [Node()]

    static func isParameter(_ segment: Substring) -> Bool { segment.hasPrefix("{") && segment.hasSuffix("}") }

    mutating func insert(_ segments: [Substring], method: Method, route: Int) {
        var place = 0
        for segment in segments {
            let isParameter = Self.isParameter(segment)
            let known = isParameter ? nodes[place].parameter : nodes[place].literals[String(segment)]
            if let known {
                place = known
                continue
            }
            nodes.append(Node())
            if isParameter {
                nodes[place].parameter = nodes.count - 1
            } else {
                nodes[place].literals[String(segment)] = nodes.count - 1
            }
            place = nodes.count - 1
        }
        nodes[place].routes.append((method, route))
    }

    /// Calls `found` with the routes of every node that the path leads to, best first, and with what its parameters stand
    /// for, until it returns true.
    func walk(_ path: [String], _ found: ([(method: Method, route: Int)], [String]) -> Bool) {
        _ = walk(path, 0, from: 0, values: [], found)
    }

    private func walk(
        _ path: [String], _ depth: Int, from place: Int, values: [String],
        _ found: ([(method: Method, route: Int)], [String]) -> Bool
    ) -> Bool {
        let node = nodes[place]
        guard depth < path.count else { return !node.routes.isEmpty && found(node.routes, values) }
        if let next = node.literals[path[depth]], walk(path, depth + 1, from: next, values: values, found) { return true }
        guard let next = node.parameter, !path[depth].isEmpty else { return false }
        return walk(path, depth + 1, from: next, values: values + [path[depth]], found)
    }
}
