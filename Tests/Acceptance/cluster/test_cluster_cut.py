"""A node without a connection to its PostgreSQL, and a PostgreSQL that does not respond: every wait ends, and other nodes wait only
briefly."""

import contextlib
import os
import signal
import subprocess
import threading
import time

import pytest

from cluster import IS_LONG, SLACK, Cluster, seconds_until, title
from longpress import OWNER, item
from proxy import Proxy

pytestmark = pytest.mark.any_engine


class CutOff:
    """Two nodes that reach PostgreSQL directly, and one behind a proxy."""

    def __init__(self, folder):
        self.cluster = Cluster(folder, 2)
        self.proxy = Proxy(self.cluster.postgres.port)
        name = self.cluster.uri.rsplit("/", 1)[1]
        self.one, self.two = self.cluster.nodes
        self.cut = self.cluster.node(3, uri=self.cluster.postgres.uri(name, self.proxy.port))
        self.cluster.nodes.append(self.cut)
        assert self.one.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
        assert publish(self.one, "First").status == 201
        for node in self.cluster.nodes:
            assert seconds_until(lambda: title(node, "a") == "First") <= 2 + SLACK

    def stop(self):
        self.proxy.speak()
        self.cluster.stop()
        self.proxy.stop()


@pytest.fixture
def three(tmp_path):
    three = CutOff(tmp_path)
    yield three
    three.stop()


def publish(node, text, version="1.0"):
    return node.admin("PUT", f"/apps/a/sets/{version}", {"items": [item("a", text)]})


def timed(ask):
    start = time.monotonic()
    return ask(), time.monotonic() - start


def at_once(*calls):
    """Runs the calls in parallel, and returns the result and the seconds of each."""
    found = [None] * len(calls)

    def run(number, call):
        found[number] = timed(call)

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_a_half_open_network_bounds_every_wait_and_heals_by_itself(three):
    node, proxy = three.cut, three.proxy
    proxy.silence()
    fetches = []
    writes = threading.Thread(target=lambda: fetches.append(at_once(
        lambda: publish(node, "Lost"), lambda: publish(node, "Lost", "2.0"), lambda: node.admin("GET", "/apps/a/sets/1.0"))))
    writes.start()
    end, slowest = time.monotonic() + 7, 0
    while time.monotonic() < end:
        answer, seconds = timed(lambda: node.shortcuts("a", "1.0"))
        slowest = max(slowest, seconds)
        assert answer.status == 200 and answer.json["items"][0]["localizedTitle"] == "First"
        time.sleep(0.02)
    assert slowest <= 2 + SLACK
    # The other nodes do not wait: the writers' lock is free.
    answer, seconds = timed(lambda: publish(three.two, "By another"))
    assert answer.status == 200 and seconds <= 10 + SLACK
    # A fetch with an unknown revision, or of a menu that is not cached, fails.
    for ask in (lambda: node.shortcuts("a", "1.0", f"?revision={answer.json['revision']}"), lambda: node.shortcuts("b", "1.0")):
        refused, seconds = timed(ask)
        assert refused.status == 503 and "retry-after" in refused.fields and seconds <= 5 + SLACK, (refused.status, seconds)
    writes.join()
    for answer, seconds in fetches[0]:
        assert answer.status == 503 and "retry-after" in answer.fields and seconds <= 8 + SLACK, (answer.status, seconds)
    proxy.speak()
    assert seconds_until(lambda: title(node, "a") == "By another") <= 5 + SLACK
    assert seconds_until(lambda: publish(node, "Back").status == 200) <= 5 + SLACK
    for other in three.cluster.nodes:
        assert seconds_until(lambda: title(other, "a") == "Back") <= 2 + SLACK
    assert seconds_until(lambda: 'connections{state="listening"} 1' in node.get("/metrics").body.decode()) <= 10 + SLACK


@pytest.mark.skipif(not IS_LONG, reason="it waits for 15 seconds: make test-cluster")
def test_the_answer_to_a_commit_never_comes(three):
    """The commit arrives, its answer does not, and the connection stays half-open."""
    node, proxy = three.cut, three.proxy
    # Recognized by the statement that logs the change, which is sent with the COMMIT.
    proxy.silence_after(b'{"apps":["a"]')
    answer, seconds = timed(lambda: node.request(
        "PUT", "/admin/v1/apps/a/sets/1.0", '{"items": [{"id": "a", "type": "t", "title": {"en": "Unanswered"}}]}',
        {"Authorization": "Bearer " + OWNER, "Content-Type": "application/json"}, timeout=120))
    assert answer.status == 503 and 1 < seconds <= 15 + SLACK, (answer.status, seconds)
    assert "If-Match" in answer.json["detail"]
    proxy.speak()
    # It was written, which the problem's detail said was possible.
    assert seconds_until(lambda: title(node, "a") == "Unanswered") <= 5 + SLACK
    assert title(three.one, "a") == "Unanswered"


def test_taps_whose_commit_is_not_answered_are_counted_once(three):
    rounds = 8
    for number in range(rounds):
        three.proxy.cut_commits()
        assert three.cut.tap("a", "1.0", {"type": "com.example.a"}).json["outcome"] == "untagged"
        # By the batch, or by another write or read of the node.
        assert seconds_until(lambda: three.proxy.cut > number) <= 20 + SLACK
    assert seconds_until(lambda: three.cut.admin("GET", "/apps/a/taps").status == 200) <= 20 + SLACK
    assert three.one.admin("GET", "/apps/a/taps").json["outcomes"] == {"untagged": rounds}


def test_a_node_that_is_cut_off_in_a_transaction_holds_the_others_up_for_ten_seconds_at_most(three):
    proxy = three.proxy
    held = []
    for round in range(3 if IS_LONG else 1):
        # A new connection gets the text of the statement that takes the writers' lock; an existing one only its name.
        proxy.close_connections()
        proxy.silence_after(b"pg_advisory_xact_lock(%d, 1)" % 0x6c707265)
        publishing = threading.Thread(target=publish, args=(three.cut, f"Cut off {round}"))
        publishing.start()
        assert seconds_until(lambda: three.cluster.sql(
            "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.granted "
            "AND a.state = 'idle in transaction' AND a.client_port IS NOT NULL AND l.database = (SELECT oid FROM pg_database "
            "WHERE datname = current_database()) AND now() - a.state_change > interval '50 ms'") != "0") <= 5 + SLACK
        answers = at_once(*[lambda node=node: publish(node, "Held up", "3.0") for node in (three.one, three.two)])
        held += [seconds for _, seconds in answers]
        statuses = [answer.status for answer, _ in answers]
        # A write that has waited for the maximum time fails; the next one succeeds.
        assert set(statuses) <= {200, 201, 503}
        if 503 in statuses:
            answer, seconds = timed(lambda: publish(three.one, "Held up", "3.0"))
            held.append(8 + seconds)
            assert answer.status in (200, 201)
        publishing.join()
        proxy.speak()
        assert seconds_until(lambda: publish(three.cut, "Back").status == 200) <= 5 + SLACK
    assert max(held) <= 10 + SLACK, held


def test_a_node_that_falls_silent_between_two_messages_holds_the_others_up_for_ten_seconds_at_most(three):
    """Its backend waits in the middle of a pipeline, where none of PostgreSQL's timeouts applies."""
    for words in [b"pg_advisory_xact_lock(%d, 1)" % 0x6c707265, b"UPDATE change_counter"][: 2 if IS_LONG else 1]:
        three.proxy.close_connections()
        # A new connection gets the statement: Parse, Describe, Bind, Describe, Execute, and one more message.
        three.proxy.silence_after(words, messages=5)
        publishing = threading.Thread(target=publish, args=(three.cut, f"Cut off in {words}"))
        publishing.start()
        assert seconds_until(lambda: three.cluster.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'longpress' AND state = 'active' AND wait_event = 'ClientRead' "
            "AND clock_timestamp() - state_change > interval '50 ms'") != "0") <= 5 + SLACK
        for answer, seconds in at_once(*[lambda node=node: publish(node, f"Not held up {words}", "4.0") for node in (three.one, three.two)]):
            assert answer.status in (200, 201) and seconds <= 8 + SLACK, (answer.status, seconds)
        publishing.join()
        three.proxy.speak()
        assert seconds_until(lambda: publish(three.cut, "Back").status == 200) <= 5 + SLACK
        assert len({entry["revision"] for entry in three.one.admin("GET", "/apps/a/revisions?limit=100").json["items"]}) == \
            three.one.admin("GET", "/apps/a/revisions?limit=1").json["items"][0]["revision"]


@contextlib.contextmanager
def frozen(postgres):
    """Suspends all processes of the server, by their ids."""
    def children():
        return [int(id) for id in subprocess.run(
            ["ps", "--ppid", str(postgres.process.pid), "-o", "pid="], capture_output=True, text=True).stdout.split()]

    os.kill(postgres.process.pid, signal.SIGSTOP)  # First, so that it makes no new ones.
    processes = [postgres.process.pid, *children()]
    for process in processes[1:]:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in reversed(processes):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def test_a_database_that_stands_still_bounds_every_wait(three):
    nodes = three.cluster.nodes
    with frozen(three.cluster.postgres):
        writes = [lambda node=node: publish(node, "Late") for node in nodes]
        fetched = []
        fetching = threading.Thread(target=lambda: fetched.extend(fetches_for(nodes, 6)))
        fetching.start()
        for answer, seconds in at_once(*writes):
            assert answer.status == 503 and "retry-after" in answer.fields and seconds <= 15 + SLACK, (answer.status, seconds)
        fetching.join()
        assert all(found == "First" for found, _ in fetched)
        assert max(seconds for _, seconds in fetched) <= 2 + SLACK
    assert seconds_until(lambda: publish(three.one, "Back").status in (200, 201)) <= 5 + SLACK
    for node in nodes:
        assert seconds_until(lambda: title(node, "a") == "Back") <= 5 + SLACK
        assert seconds_until(lambda: publish(node, "Back").status == 200) <= 5 + SLACK


def fetches_for(nodes, seconds):
    found, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        found += at_once(*[lambda node=node: title(node, "a") for node in nodes])
    return found
