"""A consumer in Python as one would write it: asyncio, the signature checked with `hmac`, 204.

Prints its port. Understands the questions of sink.c: /busy, /open, /counts.
"""

import asyncio
import base64
import hashlib
import hmac
import time

ANSWERS = {True: b"HTTP/1.1 204 No Content\r\n\r\n", False: b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"}
BUSY = b"HTTP/1.1 503 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n"


class Tally:
    """What has come in, of all connections."""

    secrets = {}
    is_busy = False
    posts = connections = 0
    first = last = 0

    @classmethod
    def start_over(cls):
        cls.posts = cls.connections = 0


class Consumer(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""
        Tally.connections += 1

    def data_received(self, data):
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            first, *lines = self.buffer[:end].split(b"\r\n")
            fields = {name.lower(): value.strip() for name, value in (line.split(b":", 1) for line in lines)}
            rest = end + 4 + int(fields.get(b"content-length", 0))
            if len(self.buffer) < rest:
                return
            body, self.buffer = self.buffer[end + 4:rest], self.buffer[rest:]
            method, target, _ = first.split(b" ")
            self.transport.write(self.accept(target, fields, body) if method == b"POST" else self.report(target.decode()))

    def accept(self, target, fields, body):
        if Tally.is_busy:
            return BUSY
        Tally.last = time.monotonic_ns()
        Tally.first = Tally.first if Tally.posts else Tally.last
        Tally.posts += 1
        signed = b"%s.%s.%s" % (fields[b"webhook-id"], fields[b"webhook-timestamp"], body)
        code = base64.b64encode(hmac.digest(Tally.secrets[target], signed, hashlib.sha256))
        return ANSWERS[any(hmac.compare_digest(b"v1," + code, given) for given in fields[b"webhook-signature"].split(b" "))]

    def report(self, target):
        path, _, query = target.partition("?")
        if path == "/secret":
            name, _, secret = query.partition("=")
            Tally.secrets[name.encode()] = base64.b64decode(secret.removeprefix("whsec_"))
        if path in ("/busy", "/open"):
            Tally.is_busy = path == "/busy"
            Tally.start_over()
        body = f"{Tally.posts} {Tally.connections} {Tally.last - Tally.first}\n".encode()
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


async def main():
    server = await asyncio.get_running_loop().create_server(Consumer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
