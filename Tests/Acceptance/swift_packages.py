"""Swift packages that the tests build beside the program's own."""

import shutil
import subprocess

from longpress import ROOT

UIKIT_DOUBLE = ROOT / "Tests/UIKitDouble"


def build(package, *arguments, scratch=None):
    """Builds a package in debug; how that ended, and the folder of what was built, which is kept for the next run.

    A folder that an earlier build left may be of another toolchain, moved, or half written: where the build fails, it is removed and the
    package is built once more."""
    scratch = scratch or package / ".build"
    command = ["swift", "build", "--package-path", package, "--scratch-path", scratch, *arguments]
    was_there = scratch.exists()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and was_there:
        shutil.rmtree(scratch)
        done = subprocess.run(command, capture_output=True, text=True)
    return done, scratch / "debug"
