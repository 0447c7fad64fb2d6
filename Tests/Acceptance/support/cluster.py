"""Several nodes on one PostgreSQL server, all of them real processes on loopback."""

import concurrent.futures
import os
import time

from longpress import Longpress
from postgres import Postgres
from proxy import Proxy

# make test-cluster: more rounds of everything, and the slow tests.
IS_LONG = os.environ.get("LONGPRESS_CLUSTER") == "long"
# How much longer than the contract's times something may take, in seconds. Only the long form measures them.
SLACK = 1 if IS_LONG else 60


class Cluster:
    """`through_proxy`: the nodes reach PostgreSQL through `proxy`."""

    def __init__(self, folder, count=3, *flags, through_proxy=False, **postgres):
        self.folder = folder
        self.postgres = Postgres(**postgres)
        self.flags = flags
        try:
            self.uri = self.postgres.database()
            self.proxy = Proxy(self.postgres.port) if through_proxy else None
            with concurrent.futures.ThreadPoolExecutor(count) as pool:
                self.nodes = list(pool.map(self.node, range(1, count + 1)))
        except BaseException:
            self.postgres.stop()
            raise

    def node(self, number, *flags, uri=None):
        return Longpress(self.folder, "--node", f"n{number}", *self.flags, *flags, database=uri or self.node_uri)

    @property
    def node_uri(self):
        return self.postgres.uri(self.uri.rsplit("/", 1)[1], self.proxy.port) if self.proxy else self.uri

    def sql(self, statement):
        return self.postgres.sql(statement, self.uri)

    def stop(self):
        try:
            for node in self.nodes:
                if node.process.poll() is None:
                    node.stop()
        finally:
            if self.proxy:
                self.proxy.stop()
            self.postgres.stop()


def seconds_until(check):
    """How many seconds it takes until `check` is true; infinite if it takes two minutes."""
    start = time.monotonic()
    while not check():
        if time.monotonic() - start > 120:
            return float("inf")
        time.sleep(0.002)
    return time.monotonic() - start


def title(node, app, version="1.0", query=""):
    answer = node.shortcuts(app, version, query)
    return answer.json["items"][0]["localizedTitle"] if answer.status == 200 else answer.status
