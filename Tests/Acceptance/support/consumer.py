"""A consumer of webhooks, written with the published standardwebhooks package."""

import contextlib
import http.server
import socket
import ssl
import threading
import uuid

from standardwebhooks import Webhook


class Consumer:
    """With a certificate and its key it serves TLS, as localhost.

    Without a port the system chooses one. A stopped consumer may have had the same port, so requests to other paths are rejected."""

    def __init__(self, port=0, certificate=None):
        self.received = []
        self.answers = []
        self.retry_after = None
        self.secret = None
        self.connections = []
        self.path = None if port else f"/hook/{uuid.uuid4()}"
        consumer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                consumer.connections.append(self.connection)

            def do_POST(self):
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:  # The sender was killed during the request.
                    self.close_connection = True
                    return
                if consumer.path not in (None, self.path.partition("?")[0]):
                    self.answer(404)
                    return
                consumer.received.append((dict(self.headers.items()), body))
                self.answer(consumer.answers.pop(0) if consumer.answers else 204)

            def answer(self, status):
                self.send_response(status)
                self.send_header("Content-Length", "0")
                if status >= 400 and consumer.retry_after is not None:
                    self.send_header("Retry-After", str(consumer.retry_after))
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.origin = f"https://localhost:{self.port}" if certificate else f"http://127.0.0.1:{self.port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return self.origin + (self.path or "/hook")

    def subscribe(self, longpress, **members):
        answer = longpress.admin("POST", "/webhooks", {"url": self.url, **members})
        assert answer.status == 201, answer.body
        self.secret = answer.json["secret"]
        return answer.json

    def verified(self):
        """Every delivery as (webhook-id, payload), after a check of its signature."""
        return self.checked(list(self.received))

    def checked(self, deliveries):
        webhook = Webhook(self.secret)
        events = []
        for fields, body in deliveries:
            lower = {name.lower(): value for name, value in fields.items()}
            events.append((lower["webhook-id"], webhook.verify(body, lower)))
        return events

    def stop(self):
        self.server.shutdown()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server.server_close()
