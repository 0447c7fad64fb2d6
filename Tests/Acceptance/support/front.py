"""nginx with a sample of deploy/, whose addresses and folders are replaced by those of a test."""

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
        """`replacements`: pairs of a text in the sample and its replacement; `ports`: must be open before the test continues."""
        text = (ROOT / "deploy" / sample).read_text()
        for said, here in replacements:
            assert said in text, said
            text = text.replace(said, here)
        text = text.replace("/var/log/nginx", str(folder))
        self.sample = folder / "sample.conf"
        self.sample.write_text(text)
        folders = "".join(f"{name}_temp_path {folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        # Only this user can read the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"{user} daemon off; pid {folder}/pid; error_log stderr warn; events {{}} http {{ access_log off; {folders} include sample.conf; }}")
        arguments = ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
        assert "test is successful" in run("nginx", "-t", *arguments)
        self.process = subprocess.Popen([tool("nginx"), *arguments], stderr=subprocess.PIPE)
        eventually(lambda: all(map(is_open, ports)))

    def reload(self, said, here):
        """Runs nginx -s reload and waits until the old workers are idle."""
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
        """Stops nginx and returns its output."""
        self.process.terminate()
        _, said = self.process.communicate(timeout=120)
        assert self.process.returncode == 0
        return said.decode()
