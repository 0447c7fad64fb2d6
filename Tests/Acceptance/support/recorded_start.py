"""The files of a first start after a kill or a power failure, derived from a record of the system calls of the start."""

import re
import subprocess

from longpress import BINARY

CALLS = "openat,write,pwrite64,ftruncate,fsync,fdatasync,unlink,rename,close"


class Files:
    """The content of a folder (`written`), and the part of it that has reached the disk (`synced`)."""

    def __init__(self):
        self.written, self.synced, self.descriptors = {}, {}, {}

    def apply(self, call, arguments, result):
        if call == "openat":
            name = literal(arguments).decode().rsplit("/", 1)[-1]
            self.written.setdefault(name, bytearray())
            self.descriptors[result] = name
        elif call == "unlink":
            name = literal(arguments).decode().rsplit("/", 1)[-1]
            self.written.pop(name, None)
        else:
            name = self.descriptors.get(int(arguments.split(",")[0]))
            content = self.written.get(name)
            if content is None:
                return
            if call == "pwrite64":
                place, data = int(arguments.rsplit(", ", 1)[1]), literal(arguments)
                content.extend(bytes(max(0, place + len(data) - len(content))))
                content[place:place + len(data)] = data
            elif call == "ftruncate":
                size = int(arguments.rsplit(", ", 1)[1])
                del content[size:]
                content.extend(bytes(size - len(content)))
            elif call in ("fsync", "fdatasync"):
                self.synced[name] = bytes(content)

    def killed(self):
        """The files after a kill: everything that was written."""
        return {name: bytes(content) for name, content in self.written.items()}

    def cut(self):
        """The files after a power failure: unsynced data is lost, and a removed name exists again."""
        return {name: self.synced.get(name, b"") for name in {*self.written, *self.synced} if not name.endswith("-shm")}


def literal(arguments):
    """The first string of a call, written by strace -xx."""
    return bytes.fromhex(re.search(r'"((?:\\x[0-9a-f]{2})*)"', arguments)[1].replace("\\x", ""))


def recorded_start(folder):
    """Yields the files of `longpress migrate` in an empty folder after each of its calls, until it closes them."""
    database, record = folder / "recorded.sqlite", folder / "record"
    paths = [part for suffix in ("", "-journal", "-wal", "-shm") for part in ("-P", f"{database}{suffix}")]
    subprocess.run(
        ["strace", "-f", "-xx", "-s", "100000", "-e", "trace=" + CALLS, *paths, "-o", record, BINARY, "migrate", "--database", database],
        check=True, capture_output=True)
    files = Files()
    for line in record.read_text().splitlines():
        found = re.fullmatch(r"\d+ +(\w+)\((.*)\) += (\d+)", line)
        if found and found[1] != "close":
            files.apply(found[1], found[2], int(found[3]))
            yield files
