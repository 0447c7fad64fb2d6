"""What Longpress takes when nobody asks for anything: memory, time to start, memory for idle connections."""

import resource
import socket
import statistics

from bench import IS_SMOKE, filled_store, longpress, target

APPS = 100 if IS_SMOKE else 10_000
CONNECTIONS = 100 if IS_SMOKE else 10_000


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
        starts, idle = [], []
        for _ in range(5):
            with longpress(database=database) as server:
                starts.append(server.started * 1000)
                idle.append(server.resident_bytes())
        with longpress("--idle-timeout", "600s", database=database) as server:
            warm = idle_connections(server, 1)
            before = server.resident_bytes()
            connections = idle_connections(server, CONNECTIONS - 1)
            more = server.resident_bytes() - before
            for connection in warm + connections:
                connection.close()
    print(f"With {APPS:,} apps stored: from start to `/readyz` {statistics.median(starts):.0f} ms (5 starts, slowest {max(starts):.0f} ms); "
          f"idle {statistics.median(idle) / 2**20:.1f} MiB resident; {CONNECTIONS:,} idle keep-alive connections, each after a fetch, "
          f"{more / 2**20:.1f} MiB more.")


if __name__ == "__main__":
    main()
