"""The process is killed at random moments under load, again and again: every commit is announced.

KILLS sets how often (`make kill KILLS=200` for the long run), SEED repeats a run's moments.
"""

import os
import random
import time

from longpress import eventually
from workload import Ledger, Writer, committed

KILLS = int(os.environ.get("KILLS", "10"))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
APPS, WRITERS = ("a", "b"), 4


def test_no_kill_at_whatever_moment_loses_an_event_or_changes_one(own):
    moments, consumers = random.Random(SEED), [Ledger(), Ledger()]
    for consumer in consumers:
        consumer.subscribe(own)
    for app in APPS:
        own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    writers = [Writer(own, number, APPS) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    for _ in range(KILLS):
        time.sleep(moments.uniform(0, 0.3))
        own.restart()
        for consumer in consumers:
            consumer.absorb()
    for writer in writers:
        writer.end()
    assert [writer.refused for writer in writers] == [[]] * WRITERS
    acknowledged = {revision for writer in writers for revision in writer.acknowledged}
    all_of_them = committed(own, APPS)
    assert acknowledged and acknowledged <= all_of_them
    for consumer in consumers:
        eventually(lambda: all_of_them <= consumer.absorb().keys())
        assert consumer.revisions == consumers[0].revisions, "one event has one id for every endpoint"
        consumer.stop()
    deliveries, events = sum(c.deliveries for c in consumers), sum(len(c.bodies) for c in consumers)
    print(f"{KILLS} kills (SEED={SEED}), {len(acknowledged)} publishes acknowledged, {len(all_of_them)} committed, "
          f"{events} events received, {deliveries - events} of them more than once, 0 lost")
