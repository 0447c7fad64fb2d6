#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
    /// The app's providers of personal values, and their answers.
    @MainActor
    final class PersonalSources {
        typealias Provider = @MainActor (_ limit: Int) async throws -> [[String: String]]

        /// How long items wait for a provider.
        private static let patience = Duration.milliseconds(500)

        private var providers: [String: Provider] = [:]
        /// Sources whose provider has not answered yet. A provider that hangs is not called again.
        private var busy: Set<String> = []

        func provide(_ source: String, _ provider: @escaping Provider) { providers[source] = provider }

        func has(_ source: String) -> Bool { providers[source] != nil }

        /// The values of each source that answers in time. All are asked at once.
        func values(of sources: [String: Int]) async -> [String: [[String: String]]] {
            let asked = sources.map { source, limit in (source, Task { await answer(of: source, limit) }) }
            var values: [String: [[String: String]]] = [:]
            for (source, answer) in asked { values[source] = await answer.value }
            return values
        }

        private func answer(of source: String, _ limit: Int) async -> [[String: String]] {
            guard let provider = providers[source], busy.insert(source).inserted else { return [] }
            let (answers, continuation) = AsyncStream.makeStream(of: [[String: String]].self, bufferingPolicy: .bufferingOldest(1))
            Task {
                let rows = (try? await provider(limit)) ?? []
                busy.remove(source)
                continuation.yield(Array(rows.prefix(limit)))
            }
            let waiting = Task {
                try? await Task.sleep(for: Self.patience)
                continuation.yield([])
            }
            defer { waiting.cancel() }
            for await answer in answers { return answer }
            return []
        }
    }
#endif
