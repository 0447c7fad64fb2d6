"""Swift packages that the tests build beside the program."""

import shutil
import subprocess

from longpress import ROOT

UIKIT_DOUBLE = ROOT / "Tests/UIKitDouble"


def build(package, *arguments, scratch=None):
    """Builds a package in debug. Returns the result, and the folder of the products, which the next run reuses.

    The folder of an earlier build may be from another toolchain, moved or incomplete. If the build fails, the folder is removed and the
    package is built again."""
    scratch = scratch or package / ".build"
    command = ["swift", "build", "--package-path", package, "--scratch-path", scratch, *arguments]
    was_there = scratch.exists()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and was_there:
        shutil.rmtree(scratch)
        done = subprocess.run(command, capture_output=True, text=True)
    return done, scratch / "debug"
