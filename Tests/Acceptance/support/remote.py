"""The command against a running service, and servers that are not Longpress."""

import http.server
import os
import ssl
import subprocess
import threading

from longpress import BINARY, OWNER


def remote(server, *arguments, token=OWNER, program=BINARY, editor=None, **more):
    """Runs `longpress` against a service: exit status, standard output, standard error. `server`: a server, an address, or None."""
    address = f"http://{server.address[0]}:{server.address[1]}" if hasattr(server, "address") else server
    environment = {**os.environ, **({"LONGPRESS_SERVER": address} if address else {}), **({"LONGPRESS_TOKEN": token} if token else {})}
    if editor:
        environment |= {"EDITOR": editor, "VISUAL": ""}
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, timeout=120, env=environment, **more)
    return done.returncode, done.stdout, done.stderr


class Impostor:
    """A web server that is not Longpress: `answer` writes its answers."""

    def __init__(self, answer, certificate=None):
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                # The port may have been that of another test's consumer, whose webhook still delivers.
                if "webhook-id" not in self.headers:
                    outer.requests.append((self.command, self.path, dict(self.headers)))
                self.close_connection = True
                answer(self)

            do_POST = do_GET

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.origin = f"https://localhost:{self.port}" if certificate else f"http://127.0.0.1:{self.port}"
        self.server.handle_error = lambda *arguments: None  # In some tests, the client stops reading.
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def answers(status, type, body, **fields):
    """A function that writes one answer."""
    body = body if isinstance(body, bytes) else body.encode()

    def answer(handler):
        handler.send_response(status)
        for name, value in {"Content-Type": type, "Content-Length": str(len(body)), **fields}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)
    return answer


def authority(folder):
    """The certificate of an authority, and a certificate for localhost with its key that this authority has signed."""
    folder.mkdir()
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    openssl("req", "-x509", *curve, "-days", "9", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", *curve, "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request.pem")
    (folder / "names.cnf").write_text("subjectAltName=DNS:localhost\n")
    openssl("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "9", "-extfile", "names.cnf",
            "-out", "cert.pem")
    return folder / "ca.pem", (folder / "cert.pem", folder / "key.pem")
