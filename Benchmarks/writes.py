"""Acknowledged durable publishes a second by 16 writers over HTTP, and how soon a new fetch sees one."""

import json
import pathlib
import tempfile
import time

from bench import IS_SMOKE, TOKEN, admin, longpress, menu, percentile, table, target, wrk

WRITERS = 16
SECONDS = 1 if IS_SMOKE else 10
SCRIPT = """
local number = 0
request = function()
  number = number + 1
  local body = string.gsub('%s', 'NUMBER', tostring(number))
  local app = number %% %d
  return wrk.format('PUT', '/admin/v1/apps/com.example.app' .. app .. '/sets/1.0.0', nil, body)
end
"""


def publishes(apps):
    with longpress(core="0,1", loops=2) as server, tempfile.TemporaryDirectory() as folder:
        connection = server.connect()
        for number in range(apps):
            admin(connection, "PUT", f"/apps/com.example.app{number}", {"defaultLanguage": "en"})
        script = pathlib.Path(folder) / "publish.lua"
        script.write_text(SCRIPT % (json.dumps(menu("NUMBER"), ensure_ascii=False), apps))
        headers = ["-H", f"Authorization: Bearer {TOKEN}", "-H", "Content-Type: application/json"]
        result = wrk(server, "/", *headers, connections=WRITERS, seconds=SECONDS, script=script, core="0,1")
        revisions = sum(newest(connection, f"com.example.app{number}") for number in range(apps))
        return result | {"revisions": revisions}


def newest(connection, app):
    return json.loads(admin(connection, "GET", f"/apps/{app}/revisions?limit=1"))["items"][0]["revision"]


def visibility(count):
    """Milliseconds from sending a publish to the first answer of a fetch, begun after its acknowledgement, that shows it."""
    waits, stale = [], 0
    with longpress(core="0,1", loops=2) as server:
        writer, reader = server.connect(), server.connect()
        app = "com.example.app0"
        admin(writer, "PUT", f"/apps/{app}", {"defaultLanguage": "en"})
        for number in range(count):
            begun = time.perf_counter()
            answer = json.loads(admin(writer, "PUT", f"/apps/{app}/sets/1.0.0", menu(number)))
            while True:
                reader.request("GET", target(app))
                if json.loads(reader.getresponse().read())["revision"] == answer["revision"]:
                    break
                stale += 1
            waits.append((time.perf_counter() - begun) * 1000)
    return percentile(waits, 0.5), percentile(waits, 0.99), stale


def main():
    print("16 writers over HTTP, server and load on the same two cores; every publish is on disk before it is acknowledged.\n")
    rows = [["", "publishes/s", "CPU µs per publish", "p50 ms", "p99 ms", "refused"]]
    for apps, name in ((1, "one app"), (1000 if not IS_SMOKE else 10, "1,000 apps")):
        result = publishes(apps)
        if result["revisions"] < result["requests"]:
            raise SystemExit("publishes were acknowledged that are not there")
        rows.append([name, f"{result['rate']:,.0f}", f"{result['cpu']:.0f}", f"{result['p50']:.1f}", f"{result['p99']:.1f}", result["errors"]])
    print(table(*rows))
    p50, p99, stale = visibility(50 if IS_SMOKE else 2000)
    print(f"\nFrom sending a publish until a new fetch returns it: p50 {p50:.2f} ms, p99 {p99:.2f} ms; "
          f"fetches after an acknowledgement that missed it: {stale}.")


if __name__ == "__main__":
    main()
