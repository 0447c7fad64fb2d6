"""The operations on files, and what must hold wherever a call of one of them fails.

An operation begins with `prepare(folder)`, which makes the files that it finds in `folder/files`. `run(case)` runs it with `case.calls`
armed and judges what it did; `judge_cut(folder, said)` judges what a power cut left, after the program had said what is in `said`."""

import http.client
import json
import re
import signal
import stat
import threading

import program
from program import OWNER, Broken, Service, command, content, copied, eventually, expect, published, require_whole, rows


UNCONFIRMED = "did not confirm whether"


class Case:
    """One boundary: the calls `at` to `until` of an operation fail, in a folder of its own."""

    def __init__(self, folder, calls, fault, at, until):
        self.folder, self.calls, self.fault, self.at, self.until = folder, calls, fault, at, until
        self.files = calls.folder

    def arm(self):
        if self.fault:
            self.calls.arm(self.fault, self.at, self.until)

    @property
    def kills(self):
        return self.fault in ("killed", "torn")


def require_clear(text, files):
    """An error names a file, or says what was not done, in sentences."""
    # A command prints the cause of a failure of the database in brackets, because it has no log.
    text = re.sub(r"\(SQLite \d+: .*\)", "", text)
    lines = [line for line in text.splitlines() if line]
    expect(lines, "It failed without a word.")
    expect(not re.search("Fatal error|SQLite error|NSCocoa|Error Domain|<private>|Optional\\(", text), f"The error is not clear: {text}")
    expect(str(files) in text or re.search(r"\w+ (was|were|is|are) not |cannot be|could not|" + UNCONFIRMED, text), f"The error does not say what happened: {text}")


def require_no_parts(files):
    parts = [path.name for path in files.iterdir() if "partial" in path.name or ".dat.nosync" in path.name]
    expect(not parts, f"A part is left: {parts}")


class Operation:
    name = ""
    template = "killed"
    # Services are stalled, too, and continue.
    faults = ["full", "broken", "short", "killed", "torn", "unreadable"]

    def prepare(self, folder):
        return copied(self.template, folder)


# Commands


class Command(Operation):
    """A command that does all or nothing."""
    done_words = ""

    def arguments(self, files):
        raise NotImplementedError

    def run(self, case):
        case.arm()
        status, output, errors = command(*self.arguments(case.files), environment=case.calls.environment, cwd=case.folder)
        case.calls.disarm()
        if case.kills and case.calls.hits:
            expect(status == -signal.SIGKILL, f"It ended with {status} instead of being killed: {errors}")
            return self.judge_rest(case.files, None)
        expect(status in (0, 1), f"It ended with {status}: {errors}")
        if status == 1:
            require_clear(errors, case.files)
        # A file that cannot be removed is left.
        if not case.calls.call.startswith("unlink") and case.until == case.at:
            require_no_parts(case.files)
        # Where every call fails, a file that was made cannot be removed again.
        is_unknown = UNCONFIRMED in errors or status == 1 and case.fault == "broken" and case.until > case.at
        self.judge_rest(case.files, None if is_unknown else status == 0, output, errors)

    def judge_rest(self, files, is_done, output=None, errors=""):
        """`is_done`: what the command said; nil if it was killed."""
        is_there = self.is_done(files, output)
        # Done, but not synchronized with its folder.
        if "cannot be synchronized" in errors and is_there and "Nothing" not in errors:
            return
        expect(is_done is None or is_there == is_done, f"It said that it was {'done' if is_done else 'not done'}, and it was{'' if is_there else ' not'}.")
        if not is_there:
            status, output, errors = command(*self.arguments(files))
            expect(status == 0, f"It cannot be repeated: {errors}")
            expect(self.is_done(files, output), "Repeated, it says that it is done, and it is not.")

    def judge_cut(self, files, said):
        self.judge_rest(files, True if self.done_words in said else None, output=said)

    def is_done(self, files, output):
        """Whether everything that the command is to do is there. Throws if a part of it is."""
        raise NotImplementedError


class Backup(Command):
    name = "backup"
    done_words = "The copy is at"

    def arguments(self, files):
        return ["backup", files / "copy.sqlite", "--database", files / "longpress.sqlite"]

    def is_done(self, files, _):
        require_same(files / "longpress.sqlite", program.TEMPLATES / "killed/longpress.sqlite")
        copy = files / "copy.sqlite"
        if not copy.exists():
            return False
        require_whole(copy)
        require_same(copy, files / "longpress.sqlite")
        expect(stat.S_IMODE(copy.stat().st_mode) in (0o600, 0o644), "its mode")
        return True


def require_same(path, other):
    expect(content(path) == content(other), f"{path.name} has not the content of {other.name}.")


class Restore(Command):
    name = "restore"
    done_words = "was restored to"

    def prepare(self, folder):
        database = copied("killed", folder)
        return database

    def arguments(self, files):
        return ["restore", "--keep-tokens", program.TEMPLATES / "backup.sqlite", "--database", files / "longpress.sqlite"]

    def is_done(self, files, _):
        database, before = files / "longpress.sqlite", content(program.TEMPLATES / "killed/longpress.sqlite")
        require_whole(database)
        is_restored = bool(rows(database, "SELECT 1 FROM audit WHERE action = 'store.restored'"))
        expect(is_restored or content(database) == before, "It is neither the database before nor the restored one.")
        former = [path for path in files.glob("*.former-*") if path.name.endswith("Z")]
        expect(not is_restored or any(content(path) == before for path in former), "The replaced database is not kept.")
        if is_restored:
            expect(rows(database, "SELECT COUNT(*) FROM revisions") == [(3,)], "A revision is missing.")
            return True
        return False


class Export(Command):
    name = "export"
    done_words = "The export is at"

    def prepare(self, folder):
        database = copied("killed", folder)
        (folder / "export.json").write_text("the export of yesterday\n")
        return database

    def arguments(self, files):
        return ["export", "--output", files / "export.json", "--database", files / "longpress.sqlite"]

    def is_done(self, files, _):
        text = (files / "export.json").read_text()
        if text == "the export of yesterday\n":
            return False
        expect(text == (program.TEMPLATES / "export.json").read_text(), "The export is not complete.")
        return True


class Import(Command):
    name = "import"
    done_words = "Imported."

    def prepare(self, folder):
        copied("stopped", folder)
        document = json.loads((program.TEMPLATES / "export.json").read_text())
        for app in document["apps"]:
            app["app"] = "b"
        (folder / "export.json").write_text(json.dumps(document))

    def arguments(self, files):
        return ["import", files / "export.json", "--database", files / "longpress.sqlite"]

    def is_done(self, files, _):
        database = files / "longpress.sqlite"
        require_whole(database)
        expect(rows(database, "SELECT COUNT(*) FROM revisions WHERE app = 'a'") == [(3,)], "A revision is missing.")
        counts = {rows(database, f"SELECT COUNT(*) FROM {table} WHERE {column} = 'b'")[0][0]
                  for table, column in (("apps", "id"), ("releases", "app"))}
        revisions = rows(database, "SELECT COUNT(*) FROM revisions WHERE app = 'b'")[0][0]
        expect((counts, revisions) in (({0}, 0), ({1}, 3)), f"A part was imported: {counts}, {revisions}")
        return revisions == 3


class Copy(Command):
    name = "copy"
    done_words = "The counts and digests of all tables match"

    def arguments(self, files):
        return ["copy", files / "longpress.sqlite", files / "target.sqlite"]

    def is_done(self, files, _):
        require_same(files / "longpress.sqlite", program.TEMPLATES / "killed/longpress.sqlite")
        target = files / "target.sqlite"
        if not target.exists():
            return False
        require_whole(target)
        if not rows(target, "SELECT 1 FROM sqlite_master WHERE name = 'revisions'"):
            return False
        found = rows(target, "SELECT COUNT(*) FROM revisions")[0][0]
        expect(found in (0, 3), "A part was copied.")
        return found == 3


class CreateToken(Command):
    name = "token create"
    template = "stopped"
    done_words = "lp_"

    def arguments(self, files):
        return ["token", "create", "--name", "ana", "--role", "owner", "--database", files / "longpress.sqlite"]

    def is_done(self, files, _):
        require_whole(files / "longpress.sqlite")
        return bool(rows(files / "longpress.sqlite", "SELECT 1 FROM tokens WHERE name = 'ana'"))


class RotateKey(Command):
    name = "rotate-key"
    template = "stopped"
    done_words = "are encrypted with the new key"

    def arguments(self, files):
        return ["rotate-key", "--new-secret-key-file", program.TEMPLATES / "second.key", "--database", files / "longpress.sqlite"]

    def is_done(self, files, _):
        database = files / "longpress.sqlite"
        require_whole(database)
        before = rows(program.TEMPLATES / "stopped/longpress.sqlite", "SELECT * FROM endpoints")
        return rows(database, "SELECT * FROM endpoints") != before


# Services


class Serving(Operation):
    flags = ()
    token = OWNER

    def serve(self, files, calls=None):
        return Service(files / "longpress.sqlite", *self.flags, token=self.token, environment=calls and calls.environment)

    def require_start(self, files):
        """The next start works: menus are served, and a menu can be published."""
        service = self.serve(files)
        try:
            expect(service.listening, f"The next start fails: {service.said}")
            self.judge_service(service)
        finally:
            service.end()
        require_whole(files / "longpress.sqlite")

    def judge_service(self, service):
        expect(service.menu("2.0") == "first 1", "A menu is missing.")
        expect(service.publish("8.0", "after the next start")[0] in (200, 201), "Nothing can be published after the next start.")


class Start(Serving):
    """A start after a kill."""
    name = "start after a kill"

    def run(self, case):
        case.arm()
        service = self.serve(case.files, case.calls)
        try:
            self.judge_start(case, service)
        finally:
            if service.listening:
                service.end()
        self.require_start(case.files)

    def judge_start(self, case, service):
        case.calls.disarm()
        if case.kills and case.calls.hits:
            # Work that begins once it listens may be killed, too.
            return
        if service.listening:
            return self.judge_service(service)
        expect(service.status in (1, 2), f"The start ended with {service.status}: {service.said}")
        require_clear(service.said, case.files)

    def judge_cut(self, files, said):
        self.require_start(files)


class StartOlder(Start):
    name = "start with a migration"
    template = "older"

    def judge_service(self, service):
        status, answer, _ = service.admin("GET", "/tokens")
        expect(status == 200 and [token["name"] for token in answer["items"]] == ["ana"], f"A token is missing: {answer}")


class FirstStart(Start):
    name = "start in an empty folder"
    template = None
    token = None

    def prepare(self, folder):
        folder.mkdir(parents=True)

    def judge_service(self, service):
        path = service.process.args[service.process.args.index("--database") + 1]
        token = path.with_name(path.name + ".first-token").read_text()
        expect(token.endswith("\n"), "The file of the first token is not complete.")
        status, _, _ = service.admin("GET", "/tokens", token=token.strip())
        expect(status == 200, f"The token in the file is not valid: {status}")

    def judge_cut(self, files, said):
        file = files / "longpress.sqlite.first-token"
        expect(not file.exists() or file.read_text().endswith("\n"), "The file of the first token is not complete.")
        if "created an owner token" in said:
            expect(file.exists(), "The file of the first token is missing after it was announced.")
            expect(rows(files / "longpress.sqlite", "SELECT COUNT(*) FROM tokens") == [(1,)], "The first token is missing after it was announced.")
        self.require_start(files)


REFUSED = "Nothing was written"


class Publish(Serving):
    """Two menus are published one after the other, with deliveries that fail beside them; then the disk works again."""
    name = "publish"
    faults = Operation.faults + ["stalled", "forgotten"]
    retired = 0
    kills_at_once = False

    def run(self, case):
        service = self.serve(case.files, case.calls)
        expect(service.listening, "no start")
        try:
            results = self.publish_beside(case, service)
            if not (case.kills and case.calls.hits) and not self.kills_at_once:
                self.judge_recovery(service, results)
        finally:
            service.end()
        self.judge_results(case.files, results)
        if case.fault == "forgotten":
            self.judge_forgotten(case, results)
        self.require_start(case.files)

    def publish_beside(self, case, service):
        expect(service.menu("1.0") == "first 0", "A menu is missing.")
        case.arm()
        results = {}
        if case.fault == "stalled":
            thread = threading.Thread(target=lambda: results.update({"new 0": service.publish("1.0", "new 0", retired=self.retired)}))
            thread.start()
            eventually(lambda: case.calls.hits or not thread.is_alive(), "no stall")
            expect(service.menu("2.0") == "first 1", "A fetch waits for the disk.")
            expect(service.menu(f"3.{case.at % 10**6}") == "first 2", "A fetch that has to be rendered waits for the disk.")
            case.calls.disarm()
            thread.join()
            expect(results["new 0"][0] in (200, 201), f"A publish fails behind a slow disk: {results}")
            return results
        for number in range(1 if self.kills_at_once else 2):
            title = f"new {number}"
            results[title] = service.publish("1.0", title, retired=self.retired)
            if case.kills and case.calls.hits:
                break
            expect(results[title][0] is not None, "The service ended.")
            expect(results[title][0] in (200, 201, 503), f"A publish got {results[title]}.")
            if not self.kills_at_once:
                expected = [title for title, (status, _) in results.items() if status in (200, 201)][-1:] or ["first 0"]
                allowed = expected + [title for title, answer in results.items() if is_uncertain(answer)]
                try:
                    found = service.menu("1.0")
                except (OSError, http.client.HTTPException):
                    # The kill may come later than the answer to the publish.
                    expect(case.kills, "The service ended.")
                    break
                expect(found in allowed, f"A fetch gets {found}, and {expected[0]} was acknowledged.")
        if not self.kills_at_once:
            case.calls.disarm()
        return results

    def judge_recovery(self, service, results):
        results["recovered"] = service.publish("1.0", "recovered", retired=self.retired)
        expect(results["recovered"][0] in (200, 201), f"After the disk works again, a publish fails: {results['recovered']}")
        expect(service.menu("1.0") == "recovered", "A fetch gets an old menu.")
        expect(service.request("GET", "/readyz?plane=admin")[0] == 200, "It is not ready after a write.")

    def judge_results(self, files, results):
        require_whole(files / "longpress.sqlite")
        found = published(files / "longpress.sqlite")
        for title, answer in results.items():
            count = found.get(title, 0)
            if answer[0] in (200, 201):
                expect(count == 1, f"{title} was acknowledged and is there {count} times.")
            elif answer[0] == 503 and not is_uncertain(answer):
                expect(count == 0, f"{title} is there, although the answer said that nothing was written.")
            expect(count <= 1, f"{title} is there {count} times.")
        numbers = [number for number, in rows(files / "longpress.sqlite", "SELECT number FROM revisions WHERE app = 'a' ORDER BY number")]
        expect(numbers == list(range(1, len(numbers) + 1)), f"The revisions have a gap: {numbers}")

    def judge_forgotten(self, case, results):
        """The power is cut at the end: bytes of the failed fsync are gone."""
        from cases import replayed
        folder = case.folder / "after-the-cut"
        folder.mkdir()
        disk, _ = replayed(case.initial, case.calls.recorded())
        for name, data in disk.lost().items():
            (folder / name).write_bytes(data)
        try:
            self.judge_results(folder, results)
        except Broken as error:
            raise Broken(f"After a power cut: {error}") from None

    def judge_cut(self, files, said):
        require_whole(files / "longpress.sqlite")
        numbers = {number for number, in rows(files / "longpress.sqlite", "SELECT number FROM revisions WHERE app = 'a'")}
        for number in re.findall(r'\r\n\r\n\{"revision":(\d+),', said):
            expect(int(number) in numbers, f"Revision {number} was acknowledged and is missing.")
        self.require_start(files)


def is_uncertain(answer):
    return answer[0] == 503 and REFUSED not in answer[1]["detail"]


class PublishKilled(Publish):
    """A kill follows the answer, before any other write."""
    name = "publish, then a kill"
    faults = ["full", "broken", "short", "forgotten"]
    kills_at_once = True


class PublishCheckpoint(Publish):
    """The write-ahead log is long enough that SQLite moves it into the database after a commit."""
    name = "publish with a checkpoint"
    template = "nearly-full"
    retired = 100


class Stop(Serving):
    """The log is moved into the database when the service stops."""
    name = "stop"

    def run(self, case):
        service = self.serve(case.files, case.calls)
        try:
            expect(service.listening, "no start")
            expect(service.publish("1.0", "new 0")[0] == 200, "not published")
            hook = service.admin("GET", "/webhooks")[1]["items"][0]["id"]
            eventually(lambda: service.admin("GET", f"/webhooks/{hook}/deliveries")[1]["items"][0]["attempts"], "no attempt")
            case.arm()
            status = service.end(signal.SIGTERM)
            case.calls.disarm()
        finally:
            service.process.kill()
        if not (case.kills and case.calls.hits):
            expect(status == 0, f"It ended with {status}: {service.said}")
        require_whole(case.files / "longpress.sqlite")
        expect(published(case.files / "longpress.sqlite").get("new 0") == 1, "A menu is missing.")
        self.require_start(case.files)

    def judge_service(self, service):
        expect(service.menu("2.0") == "first 1", "A menu is missing.")

    def judge_cut(self, files, said):
        require_whole(files / "longpress.sqlite")
        # The first answer is that of the publish.
        expect("HTTP/1.1 200" not in said or published(files / "longpress.sqlite").get("new 0") == 1, "A menu is missing.")
        self.require_start(files)


OPERATIONS = {operation.name: operation for operation in [
    FirstStart(), StartOlder(), Start(), Publish(), PublishKilled(), PublishCheckpoint(), Stop(), Backup(), Restore(), Export(),
    Import(), Copy(), CreateToken(), RotateKey()]}
