"""A TCP proxy on loopback that can go silent, close, and cut a connection between COMMIT and its answer."""

import socket
import threading

COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"  # CommandComplete of PostgreSQL's protocol


def through_messages(data, words, count):
    """The prefix of a client's data up to the end of the message with `words` and of `count` more messages. The data begins with a
    message."""
    end, wanted = 0, data.index(words) + len(words)
    while end < wanted or count > 0:
        count -= end >= wanted
        end += 1 + int.from_bytes(data[end + 1:end + 5], "big")
    return data[:end]


class Proxy:
    def __init__(self, port, host="127.0.0.1"):
        self.target = (host, port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.pairs = []
        self.lock = threading.Lock()
        self.is_silent = False
        self.commits_to_cut = 0
        self.cut = 0
        self.last_words = self.messages = None
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(self.target, timeout=5)
                server.settimeout(None)
            except OSError:
                client.close()
                continue
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.pairs.append((client, server))
            threading.Thread(target=self.forward, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.forward, args=(server, client, True), daemon=True).start()

    def forward(self, source, sink, is_answer):
        try:
            while data := source.recv(1 << 16):
                if self.is_silent:
                    continue  # Both ends think that the connection is alive.
                if not is_answer and self.last_words and self.last_words in data:
                    if self.messages is not None:
                        data = through_messages(data, self.last_words, self.messages)
                    self.last_words, self.is_silent = None, True
                if is_answer and COMMITTED in data:
                    with self.lock:
                        cuts = self.commits_to_cut > 0
                        self.commits_to_cut -= cuts
                        self.cut += cuts
                    if cuts:
                        break
                sink.sendall(data)
        except OSError:
            pass
        if self.is_silent:
            return  # This end's close is not forwarded: `close_connections` ends both.
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def silence(self):
        """Stops forwarding without closing connections: a half-open connection."""
        self.is_silent = True

    def speak(self):
        """Lets new connections work again, and closes those that lost bytes."""
        self.close_connections()
        self.is_silent, self.last_words = False, None

    def close_connections(self):
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for one in pair:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def cut_commits(self, count=1):
        """Drops the answers to the next COMMITs and closes their connections."""
        with self.lock:
            self.commits_to_cut = count

    def silence_after(self, words, messages=None):
        """Forwards a client's data with `words` in it and nothing after it, not even the answer.

        `messages`: of the data with the words, forwards only this many messages after the one with the words."""
        self.last_words, self.messages = words, messages

    def stop(self):
        self.listener.close()
        self.close_connections()
