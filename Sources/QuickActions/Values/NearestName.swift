/// Finds the name with the smallest edit distance to a mistyped name, ignoring case. Nil if the distance is above a third of the typed
/// length. One edit is always allowed.
package func nearestName(to typed: String, among names: some Sequence<String>) -> String? {
    let typed = Array(typed.lowercased().utf8.prefix(64))
    let most = max(1, typed.count / 3)
    var nearest: (name: String, distance: Int)?
    for name in names {
        let spelled = Array(name.lowercased().utf8)
        guard abs(spelled.count - typed.count) <= most else { continue }
        let distance = editDistance(typed, spelled)
        if distance <= most, distance < nearest?.distance ?? .max { nearest = (name, distance) }
    }
    return nearest?.name
}

/// Optimal string alignment distance: insertions, deletions, substitutions, transpositions of neighbours.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var row = [i + 1]
        for (j, b) in right.enumerated() {
            var cost = min(last[j] + (a == b ? 0 : 1), row[j] + 1, last[j + 1] + 1)
            if i > 0, j > 0, a == right[j - 1], b == left[i - 1] { cost = min(cost, beforeLast[j - 1] + 1) }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[right.count]
}
