"""nginx on a sample of deploy/, its addresses and folders replaced by those of a test."""

import os
import pathlib
import signal
import socket
import subprocess

from longpress import ROOT, eventually
from tools import run, tool


def is_open(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


class Front:
    def __init__(self, folder, sample, replacements, ports):
        """`replacements`: what the sample says and what is here, in pairs; `ports`: that must be open before it is used."""
        text = (ROOT / "deploy" / sample).read_text()
        for said, here in replacements:
            assert said in text, said
            text = text.replace(said, here)
        text = text.replace("/var/log/nginx", str(folder))
        self.sample = folder / "sample.conf"
        self.sample.write_text(text)
        folders = "".join(f"{name}_temp_path {folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        # The folder is this user's alone.
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"{user} daemon off; pid {folder}/pid; error_log stderr warn; events {{}} http {{ access_log off; {folders} include sample.conf; }}")
        arguments = ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
        assert "test is successful" in run("nginx", "-t", *arguments)
        self.process = subprocess.Popen([tool("nginx"), *arguments], stderr=subprocess.PIPE)
        eventually(lambda: all(map(is_open, ports)))

    def reload(self, said, here):
        """nginx -s reload, and the workers of the former configuration have no more to do."""
        text = self.sample.read_text()
        assert said in text, said
        self.sample.write_text(text.replace(said, here))
        former = self.workers()
        self.process.send_signal(signal.SIGHUP)
        eventually(lambda: (now := self.workers()) and not now & former)

    def workers(self):
        pid = self.process.pid
        return set((pathlib.Path("/proc") / str(pid) / "task" / str(pid) / "children").read_text().split())

    def stop(self):
        """What it said."""
        self.process.terminate()
        _, said = self.process.communicate(timeout=20)
        assert self.process.returncode == 0
        return said.decode()
