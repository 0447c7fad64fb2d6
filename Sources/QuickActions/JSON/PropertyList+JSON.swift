extension PropertyList {
    /// The JSON form of a date or data: `{"$date": "2026-01-31T09:00:00Z"}` or `{"$data": "base64"}`.
    package enum Marker {
        package static let date: Text = "$date"
        package static let data: Text = "$data"

        /// Whether an object with these members is a marker. A marker is valid only without other members.
        package static func isMeant(by members: [JSON.Member]) -> Bool {
            members.contains { $0.name == date || $0.name == data }
        }

        /// Parses the member of a marker; nil if it is invalid.
        package static func value(of member: JSON.Member) -> PropertyList? {
            guard case .string(let text) = member.value else { return nil }
            switch member.name {
            case date: return CalendarTime(text.string).map { .date($0.secondsSince1970) }
            case data: return bytes(base64: text.string).map { .data($0) }
            default: return nil
            }
        }
    }

    /// Converts the JSON of a served document. Nil if it has a value that property lists do not have: null, a number outside `Int64` and
    /// finite `Double`, or an invalid marker.
    package init?(_ json: JSON) {
        switch json {
        case .null, .outOfRange: return nil
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .string(let text): self = .string(text)
        case .array(let elements):
            var values: [PropertyList] = []
            for element in elements {
                guard let value = PropertyList(element) else { return nil }
                values.append(value)
            }
            self = .array(values)
        case .object(let members) where Marker.isMeant(by: members):
            guard let member = members.first, members.count == 1, let value = Marker.value(of: member) else { return nil }
            self = value
        case .object(let members):
            guard let dictionary = Dictionary(json: members) else { return nil }
            self = .dictionary(dictionary)
        }
    }

    /// Dates and data are written as markers.
    package var json: JSON {
        switch self {
        case .string(let text): .string(text)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .boolean(let value): .boolean(value)
        case .date(let seconds): .object([JSON.Member(Marker.date, .string(CalendarTime(secondsSince1970: seconds).text))])
        case .data(let bytes): .object([JSON.Member(Marker.data, .string(base64(bytes)))])
        case .array(let elements): .array(elements.map(\.json))
        case .dictionary(let dictionary): dictionary.json
        }
    }
}

extension PropertyList.Dictionary {
    /// Nil if a member's value is not valid in a property list.
    package init?(json members: [JSON.Member]) {
        var values: [(key: Text, value: PropertyList)] = []
        for member in members {
            guard let value = PropertyList(member.value) else { return nil }
            values.append((member.name, value))
        }
        self.init(values)
    }

    package var json: JSON {
        .object(members.map { JSON.Member($0.key, $0.value.json) })
    }
}
