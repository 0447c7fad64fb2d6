"""Instructions per fetch, counted by callgrind: a figure that does not depend on what else the machine does."""

import pathlib
import re
import subprocess
import tempfile

from bench import BINARY, IS_SMOKE, admin, longpress, menu, target

FEW, MANY = (100, 300) if IS_SMOKE else (1000, 5000)


def instructions(count, fields):
    """Of a whole run with so many fetches of one menu."""
    with tempfile.TemporaryDirectory() as folder:
        out, program = pathlib.Path(folder) / "callgrind", pathlib.Path(folder) / "longpress"
        # Valgrind does not read the debugging information of a Swift compiler this new.
        subprocess.run(["strip", "-o", program, BINARY], check=True)
        with longpress(program=program, prefix=["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}"]) as server:
            connection = server.connect()
            admin(connection, "PUT", "/apps/com.example.app0", {"defaultLanguage": "en"})
            admin(connection, "PUT", "/apps/com.example.app0/sets/1.0.0", menu())
            for number in range(count):
                connection.request("GET", target("com.example.app0"), headers=fields)
                answer = connection.getresponse()
                answer.read()
                if "If-None-Match" in fields:
                    fields["If-None-Match"] = answer.getheader("ETag")
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)[1])


def main():
    for name, fields in (("200", {}), ("304", {"If-None-Match": '""'})):
        few, many = (instructions(count, dict(fields)) for count in (FEW, MANY))
        print(f"- {name}: {(many - few) / (MANY - FEW):,.0f} instructions in user space, one connection, one fetch at a time.")


if __name__ == "__main__":
    main()
