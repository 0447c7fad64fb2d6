"""Endpoints as bad as they come: they hang, reset, drip, flood, refuse, answer 429, or have no name.

Prints the URLs that they begin with.
"""

import asyncio
import socket
import struct


async def hang(reader, writer):
    await reader.read()


async def reset(reader, writer):
    await reader.read(1)
    option = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, option)


async def drip(reader, writer):
    await reader.read(1)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(1000):
        writer.write(b".")
        await writer.drain()
        await asyncio.sleep(1)


async def flood(reader, writer):
    await reader.read(1)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n")
    for _ in range(1600):
        writer.write(bytes(65536))
        await writer.drain()


async def too_many(reader, writer):
    while await reader.readuntil(b"}}"):
        writer.write(b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n")


async def listen(behave):
    async def serve(reader, writer):
        try:
            await behave(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    return server.sockets[0].getsockname()[1]


async def main():
    ports = [await listen(behave) for behave in (hang, reset, drip, flood, too_many)] + [1]
    print(*(f"http://127.0.0.1:{port}" for port in ports), "http://no-such-host.invalid", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
