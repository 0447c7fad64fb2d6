"""The program's own threads: their names, and which of them yield to those that answer fetches."""

import collections
import os
import pathlib
import re

from longpress import ON_POSTGRES, OWNER, eventually, item

GIVE_WAY = {"lp-writer", "lp-dispatcher", "lp-transfers", "lp-scheduler", "lp-upkeep"}
DO_NOT = {"lp-worker", "lp-log", "lp-stream"}
if ON_POSTGRES:
    GIVE_WAY = GIVE_WAY | {"lp-heartbeat"}
    DO_NOT = DO_NOT | {"lp-connector", "lp-listener"}


def threads(process):
    """The nice values of the threads of each name, without the name's number."""
    found = collections.defaultdict(set)
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        try:
            name = re.sub(r"-\d+$", "", (task / "comm").read_text().strip())
            found[name].add(int((task / "stat").read_text().rpartition(")")[2].split()[16]))
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended in the meantime
    return dict(found)


def test_who_writes_and_delivers_gives_way_and_nobody_else_does(own, consumer):
    consumer.subscribe(own)
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/a/sets/1.0", {"items": [item("x")]})
    assert own.shortcuts("a", "1.0").status == 200
    eventually(lambda: len(consumer.received) == 2)
    usual = os.getpriority(os.PRIO_PROCESS, own.process.pid)
    # A thread gets its name after its priority. Until then it has the program's name.
    found = eventually(lambda: (found := threads(own.process)).keys() >= GIVE_WAY | DO_NOT and found)
    # A busy machine may have been late to confirm the node's freshness, which starts lp-catch-up.
    ours = {name: nice for name, nice in found.items() if name.startswith("lp-") and name not in ("lp-resolver", "lp-catch-up")}
    assert found.get("lp-catch-up", {usual}) == {usual}
    assert ours == {name: {max(10, usual)} for name in GIVE_WAY} | {name: {usual} for name in DO_NOT}
    # Event loops run on Dispatch's threads, whose priority Dispatch may set.
    assert all(max(nice) <= usual for name, nice in found.items() if not name.startswith("lp-"))


def test_no_document_is_too_deep_for_a_thread_s_stack(own):
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        for depth in (255, 256, 257, 100_000):
            body = opening * depth + "1" + closing * depth
            answer = own.request(
                "PUT", "/admin/v1/apps/a", body, {"Authorization": f"Bearer {OWNER}", "Content-Type": "application/json"})
            assert answer.status in (400, 413, 422), answer.body
    assert own.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
    nested = "x"
    for _ in range(240):
        nested = {"a": nested}
    assert own.admin("PUT", "/apps/a/sets/1.0", {"items": [item("x", userInfo=nested)]}).status in (201, 422)
