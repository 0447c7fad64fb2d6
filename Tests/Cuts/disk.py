"""What a power cut leaves of the files of a folder, from a record of the calls that changed them.

POSIX promises no more than this: the bytes of a file are on the disk once fsync(2) of the file has succeeded, a name once fsync(2) of its
folder has. After an fsync that failed, Linux forgets the bytes that it did not write, and the next one succeeds without them."""

from calls import FAILED_SYNC, LINK, OPEN, RENAME, SYNC, TRUNCATE, UNLINK, WRITE


class File:
    def __init__(self, content=b""):
        self.written, self.durable, self.pending = bytearray(content), bytearray(content), []


def change(content, entry):
    call, data, offset = entry
    if call == TRUNCATE:
        del content[offset:]
        content.extend(bytes(offset - len(content)))
    else:
        content.extend(bytes(max(0, offset - len(content))))
        content[offset:offset + len(data)] = data


class Disk:
    def __init__(self, contents):
        """`contents`: what is on the disk at the beginning, by name."""
        self.names = {name: File(content) for name, content in contents.items()}
        self.durable_names = dict(self.names)

    def apply(self, call, path, data, offset):
        if call == OPEN:
            self.names[path] = File()
        elif call in (WRITE, TRUNCATE):
            if file := self.names.get(path):
                change(file.written, (call, data, offset))
                file.pending.append((call, data, offset))
        elif call in (SYNC, FAILED_SYNC) and path == ".":
            if call == SYNC:
                self.durable_names = dict(self.names)
        elif call in (SYNC, FAILED_SYNC):
            if file := self.names.get(path):
                if call == SYNC:
                    for entry in file.pending:
                        change(file.durable, entry)
                file.pending = []
        elif call in (RENAME, LINK):
            target = data.decode()
            if file := self.names.get(path):
                self.names[target] = file
            if call == RENAME:
                self.names.pop(path, None)
        elif call == UNLINK:
            self.names.pop(path, None)

    # What may be left. The locks in -shm are of processes that have ended.

    def _files(self, names, content):
        return {name: bytes(content(file)) for name, file in names.items() if not name.endswith("-shm")}

    def lost(self):
        """Nothing reached the disk that was not synchronized."""
        return self._files(self.durable_names, lambda file: file.durable)

    def names_first(self):
        """Names reached the disk, and bytes did not."""
        return self._files(self.names, lambda file: file.durable)

    def bytes_first(self):
        """Bytes reached the disk, and names did not."""
        return self._files(self.durable_names, lambda file: file.written)

    def newest_first(self):
        """Of the bytes that were not synchronized, only the last write of each file reached the disk."""
        def content(file):
            content = bytearray(file.durable)
            for entry in file.pending[-1:]:
                change(content, entry)
            return content
        return self._files(self.names, content)

    def half(self):
        """Of the writes that were not synchronized, the first half reached the disk, and half of the last of those."""
        def content(file):
            content, count = bytearray(file.durable), (len(file.pending) + 1) // 2
            for index, (call, data, offset) in enumerate(file.pending[:count]):
                change(content, (call, data[:len(data) // 2] if call == WRITE and index == count - 1 else data, offset))
            return content
        return self._files(self.names, content)

    CUTS = {"lost": lost, "names first": names_first, "bytes first": bytes_first, "newest first": newest_first, "half": half}
