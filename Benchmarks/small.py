"""What Longpress takes when nobody asks for anything: memory, time to start, memory for idle connections."""

import os
import resource
import socket
import statistics

from bench import IS_SMOKE, filled_store, longpress, target

APPS = 100 if IS_SMOKE else 10_000
CONNECTIONS = 100 if IS_SMOKE else 10_000
# Server.memory says what each of them counts.
KINDS = [("Private_Dirty", "private"), ("Pss", "proportional"), ("Rss", "resident")]


def idle_connections(server, count):
    """So many, each of which has made a request."""
    connections = []
    request = f"GET {target('com.example.app1')} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.sendall(request)
        if not connection.recv(65536).startswith(b"HTTP/1.1 200"):
            raise SystemExit("an idle connection was not answered")
        connections.append(connection)
    return connections


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, CONNECTIONS + 1000), hard))
    with filled_store(APPS) as database:
        # The pages of a program that was just built count as dirty until they are on the disk.
        os.sync()
        starts, idle = [], []
        for _ in range(5):
            with longpress(database=database) as server:
                starts.append(server.started * 1000)
                idle.append(server.memory())
        with longpress("--idle-timeout", "600s", database=database) as server:
            warm = idle_connections(server, 1)
            before = server.memory()
            connections = idle_connections(server, CONNECTIONS - 1)
            more = server.memory()
            more.subtract(before)
            for connection in warm + connections:
                connection.close()
    print(f"With {APPS:,} apps stored: from start to `/readyz` {statistics.median(starts):.0f} ms (5 starts, slowest {max(starts):.0f} ms); "
          "idle " + ", ".join(f"{statistics.median(each[kind] for each in idle) / 2**20:.1f} MiB {name}" for kind, name in KINDS)
          + f". {CONNECTIONS:,} idle keep-alive connections, each after a fetch, add "
          + ", ".join(f"{more[kind] / 2**20:.1f} MiB {name}" for kind, name in KINDS) + ".")


if __name__ == "__main__":
    main()
