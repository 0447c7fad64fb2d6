import Glibc
import Testing

@testable import QuickActions

func read(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }

extension JSON {
    var text: String { String(decoding: encoded, as: UTF8.self) }
}

func build(_ text: String) throws -> AppBuild { try #require(AppBuild(text)) }
func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text)) }

/// The time that this thread computes, however loaded the machine is.
func processorTime(_ body: () -> Void) -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    body()
    return now() - start
}
