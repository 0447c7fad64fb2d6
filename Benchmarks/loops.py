"""Whether two event loops do twice the work of one: by CPU time per request, because the generator shares the two cores."""

from bench import admin, longpress, median, menu, table, target, wrk


def main():
    results = {}
    for loops in (1, 2):
        with longpress(loops=loops, core="0,1") as server:
            connection = server.connect()
            admin(connection, "PUT", "/apps/com.example.app0", {"defaultLanguage": "en"})
            admin(connection, "PUT", "/apps/com.example.app0/sets/1.0.0", menu())
            results[loops] = [wrk(server, target("com.example.app0"), core="0,1") for _ in range(3)]
    one, two = (median(results[loops], "cpu") for loops in (1, 2))
    print(table(
        ["event loops", "CPU µs per request", "requests/s of the CPU used"],
        [1, f"{one:.2f}", f"{1e6 / one:,.0f}"], [2, f"{two:.2f}", f"{2e6 / two:,.0f}"]))
    print(f"\nTwo loops scale by {2 * one / two:.2f} ×.")


if __name__ == "__main__":
    main()
