/// A tree of routes by path segment. A literal segment is tried before a parameter.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var routes: [(method: Method, route: Int)] = []
    }

    private var nodes = [Node()]

    static func isParameter(_ segment: Substring) -> Bool { segment.hasPrefix("{") && segment.hasSuffix("}") }

    mutating func insert(_ segments: [Substring], method: Method, route: Int) {
        var node = 0
        for segment in segments {
            let isParameter = Self.isParameter(segment)
            let known = isParameter ? nodes[node].parameter : nodes[node].literals[String(segment)]
            if let known {
                node = known
                continue
            }
            nodes.append(Node())
            if isParameter {
                nodes[node].parameter = nodes.count - 1
            } else {
                nodes[node].literals[String(segment)] = nodes.count - 1
            }
            node = nodes.count - 1
        }
        nodes[node].routes.append((method, route))
    }

    /// Calls `visit` for each node that matches the path, with its routes and the values of its parameters, the best match first, until it
    /// returns true.
    func walk(_ path: [String], _ visit: ([(method: Method, route: Int)], [String]) -> Bool) {
        _ = walk(path, 0, from: 0, values: [], visit)
    }

    private func walk(
        _ path: [String], _ depth: Int, from index: Int, values: [String],
        _ visit: ([(method: Method, route: Int)], [String]) -> Bool
    ) -> Bool {
        let node = nodes[index]
        guard depth < path.count else { return !node.routes.isEmpty && visit(node.routes, values) }
        if let next = node.literals[path[depth]], walk(path, depth + 1, from: next, values: values, visit) { return true }
        guard let next = node.parameter, !path[depth].isEmpty else { return false }
        return walk(path, depth + 1, from: next, values: values + [path[depth]], visit)
    }
}
