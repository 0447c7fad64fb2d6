#!/usr/bin/env python3
"""Starts the distribution's Firefox for Playwright, which starts this script as if it were Firefox.

Playwright sets the colour scheme of each page by a command of WebDriver BiDi that Firefox ESR 153 does not know yet, and gives up. This stands
between the two and answers that command; everything else goes through as it is. Pages have the machine's scheme.
"""

import json
import os
import re
import socket
import subprocess
import sys
import threading

UNKNOWN = b'"emulation.setMediaFeaturesOverride"'
TEXT, CLOSE = 1, 8


class Frames:
    """One side's frames (RFC 6455), and the handshake before them."""

    def __init__(self, connection):
        self.reader, self.connection, self.lock = connection.makefile("rb"), connection, threading.Lock()

    def head(self):
        lines = []
        while (line := self.reader.readline()) not in (b"\r\n", b""):
            lines.append(line)
        return lines

    def next(self):
        """The bytes of a frame, its opcode and its payload, unmasked; None at the end."""
        start = self.reader.read(2)
        if len(start) < 2:
            return None
        length, more = start[1] & 127, b""
        if length > 125:
            more = self.reader.read(2 if length == 126 else 8)
            length = int.from_bytes(more)
        mask = self.reader.read(4) if start[1] & 128 else b""
        payload = self.reader.read(length)
        plain = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload)) if mask and length < 1000 else payload
        return start + more + mask + payload, start[0] & 15, plain

    def send(self, data):
        with self.lock:
            self.connection.sendall(data)


def relay(source, target, answer=None):
    """Forwards frames until the end. If `answer` returns a text, that is sent back instead."""
    while frame := source.next():
        data, opcode, payload = frame
        reply = answer(payload) if answer and opcode == TEXT else None
        if reply is None:
            target.send(data)
        else:
            source.send(bytes([0x80 | TEXT, len(reply)]) + reply)
        if opcode == CLOSE:
            break


def answer(payload):
    if UNKNOWN not in payload:
        return None
    return json.dumps({"type": "success", "id": json.loads(payload)["id"], "result": {}}).encode()


def serve(client, port):
    with client, socket.create_connection(("127.0.0.1", port)) as browser:
        ours, theirs = Frames(client), Frames(browser)
        # Without extensions, so that frames can be read. The browser requires its own port in Host.
        fields = [line for line in ours.head() if not line.lower().startswith((b"sec-websocket-extensions", b"host:"))]
        theirs.send(b"".join([fields[0], b"Host: 127.0.0.1:%d\r\n" % port, *fields[1:], b"\r\n"]))
        ours.send(b"".join([*theirs.head(), b"\r\n"]))
        back = threading.Thread(target=relay, args=(theirs, ours), daemon=True)
        back.start()
        relay(ours, theirs, answer)
        back.join(timeout=60)


def main():
    browser = subprocess.Popen([os.environ.get("FIREFOX", "/usr/bin/firefox-esr"), *sys.argv[1:]], stderr=subprocess.PIPE, text=True)
    listener = socket.create_server(("127.0.0.1", 0))
    for line in browser.stderr:
        found = re.search(r"WebDriver BiDi listening on ws://[^:]+:(\d+)", line)
        if found:
            line = f"WebDriver BiDi listening on ws://127.0.0.1:{listener.getsockname()[1]}\n"
            threading.Thread(target=lambda: serve(listener.accept()[0], int(found[1])), daemon=True).start()
        sys.stderr.write(line)
        sys.stderr.flush()
    sys.exit(browser.wait())


if __name__ == "__main__":
    main()
