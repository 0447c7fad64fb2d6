"""A program whose system calls on the files of one folder are counted, recorded and made to fail (failing_calls.c)."""

import functools
import mmap
import os
import pathlib
import struct
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ENTRY = struct.Struct("<iiiiq")
CONTROL = struct.Struct("<qqqiii64s")
FOREVER = (1 << 63) - 1
OPEN, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, LINK, CLOSE, SAID, READ, FAILED_SYNC = range(1, 12)
# As in failing_calls.c.
FAULTS = {"full": 1, "broken": 2, "short": 3, "killed": 4, "torn": 5, "stalled": 6, "unreadable": 7, "forgotten": 8}


@functools.cache
def library():
    path = pathlib.Path(tempfile.mkdtemp(prefix="longpress-cuts-")) / "failing_calls.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", path, HERE / "failing_calls.c", "-ldl", "-lpthread"], check=True)
    return path


class Calls:
    """The calls of one process on the files of `folder`. Control and record are beside the folder."""

    def __init__(self, folder, records=False):
        self.folder = pathlib.Path(folder)
        self.record = self.folder.with_name(self.folder.name + ".record")
        path = self.folder.with_name(self.folder.name + ".control")
        path.write_bytes(bytes(CONTROL.size))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), CONTROL.size)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("LONGPRESS_")},
            "LD_PRELOAD": str(library()), "CUTS_FOLDER": str(self.folder), "CUTS_CONTROL": str(path),
            "CUTS_RECORD": str(self.record) if records else ""}

    def arm(self, fault, at, until):
        """From now on, the calls `at` to `until` fail of those to which the fault applies."""
        self.memory[:] = CONTROL.pack(0, at, until, FAULTS[fault], 0, 0, b"")

    def disarm(self):
        """The disk works again; a stalled call goes on. The counts remain."""
        count, at, until, _, hits, _, call = CONTROL.unpack(self.memory[:])
        self.memory[:] = CONTROL.pack(count, at, until, 0, hits, 1, call)

    @property
    def count(self):
        return CONTROL.unpack(self.memory[:])[0]

    @property
    def hits(self):
        return CONTROL.unpack(self.memory[:])[4]

    @property
    def call(self):
        return CONTROL.unpack(self.memory[:])[6].rstrip(b"\0").decode()

    def recorded(self):
        """(call, path, data, offset) for each recorded call. The data of SAID begins what was said; its offset is the descriptor."""
        content, place, entries = self.record.read_bytes(), 0, []
        while place < len(content):
            call, path_length, data_length, _, offset = ENTRY.unpack_from(content, place)
            place += ENTRY.size
            path = content[place:place + path_length].decode()
            data = content[place + path_length:place + path_length + data_length]
            place += path_length + data_length
            entries.append((call, path, data, offset))
        return entries
