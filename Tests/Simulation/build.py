"""Compiles the simulator: the product's sources, with stand-ins for what waits, for the network and for the database.

    build.py [SOURCES [OUTPUT]]

SOURCES is a copy of the repository (default: this one), OUTPUT the folder of the build (default: .build-simulation). A module is compiled
again when one of its files, or the interface of a module that it imports, has changed.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
SHADOWS = "Tests/Simulation/Shadows"
STAND_INS = "Tests/Simulation/StandIns"

# For each module: its folders, the files that a stand-in replaces, its imports, whether it is shadowed.
MODULES = {
    "SimulationKernel": (["Tests/Simulation/Kernel"], [], [], False),
    "QuickActions": (["Sources/QuickActions"], [], [], False),
    "Shortcuts": (["Sources/Shortcuts"], [], ["QuickActions", "SimulationKernel"], True),
    "HTTP": (["Sources/HTTP"], [], ["QuickActions"], False),
    "Platform": (
        ["Sources/Platform", STAND_INS + "/Platform"], ["Threads/NamedThread.swift"], ["SimulationKernel"], True),
    "HTTPServer": (
        ["Sources/HTTPServer/ServerMetrics.swift", "Sources/HTTPServer/System/SocketAddress.swift", STAND_INS + "/HTTPServer"], [],
        ["QuickActions", "HTTP", "Platform", "SimulationKernel"], True),
    "Storage": (["Sources/Storage"], [], ["QuickActions", "Shortcuts", "SimulationKernel"], True),
    "StorageSQLite": ([STAND_INS + "/StorageSQLite"], [], ["QuickActions", "Shortcuts", "Storage"], False),
    "StoragePostgres": (
        ["Sources/StoragePostgres"], [], ["QuickActions", "Shortcuts", "Storage", "Platform", "SimulationKernel"], True),
    "Logging": ([".build/checkouts/swift-log/Sources/Logging"], [], [], False),
    "Webhooks": (["Sources/Webhooks"], [], ["QuickActions", "Shortcuts", "Platform", "Logging", "SimulationKernel"], True),
    "API": (["Sources/API", STAND_INS + "/API"], [], ["QuickActions", "Shortcuts", "HTTP", "SimulationKernel"], True),
    "Service": (
        ["Sources/Service", STAND_INS + "/Service"], ["ProcessSignals.swift", "Logging/LogWriter.swift", "Machine.swift"],
        ["QuickActions", "Shortcuts", "HTTP", "HTTPServer", "Platform", "Storage", "StorageSQLite", "StoragePostgres", "Webhooks", "API",
         "Logging", "SimulationKernel"], True),
    "Simulation": (
        ["Tests/Simulation/Simulation"], [],
        ["QuickActions", "Shortcuts", "HTTP", "HTTPServer", "Storage", "StoragePostgres", "Webhooks", "API", "Service", "Logging",
         "SimulationKernel"], False),
}
SYSTEM = ["Sources/CCrypto", "Sources/CCurl", "Sources/CLinux", "Sources/CPQ", "Sources/CZlib", "Tests/Simulation/Kernel/C",
          "Tests/Simulation/SQLite", "Tests/Simulation/Simulation/C"]
# C functions that the product's Platform calls; its object calls the stand-ins of PosixThreads.swift instead.
PTHREAD = ["pthread_condattr_init", "pthread_condattr_destroy", "pthread_condattr_setclock", "pthread_cond_init", "pthread_cond_destroy",
           "pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_signal",
           "pthread_cond_wait", "pthread_cond_timedwait"]
# Symbols of what waits or starts threads outside of the kernel: Dispatch's classes, Mutex, Foundation's locks and threads, POSIX threads.
LEAKS = ("$s8Dispatch0A5Group", "$sSo17OS_dispatch_queue", "$sSo21OS_dispatch_semaphore", "$sSo18OS_dispatch_source", "$s8Dispatch0A5Queue",
         "$s8Dispatch0A9Semaphore", "$s15Synchronization5Mutex", "$s10Foundation6NSLock", "$s10Foundation11NSCondition",
         "$s10Foundation6Thread", "pthread_mutex_lock", "pthread_cond_", "pthread_create", "sem_wait")
# Modules of the simulator itself: everything runs on one thread of the system, which the compiler cannot know.
SINGLE_THREADED = ["SimulationKernel", "HTTPServer", "Simulation"]
OPTIMIZATION = os.environ.get("SIMULATION_OPTIMIZATION", "-O")


class Build:
    def __init__(self, sources, output, keeps_interfaces=False):
        self.sources, self.output, self.keeps_interfaces = sources, output, keeps_interfaces
        # One changed module without optimization is compiled sooner than the fault is found.
        self.optimization = "-Onone" if keeps_interfaces else OPTIMIZATION
        self.flags = subprocess.run(["pkg-config", "--cflags", "libpq", "libcurl"], capture_output=True, text=True).stdout.split()

    def files(self, module):
        paths, replaced, _, is_shadowed = MODULES[module]
        found = []
        for path in paths:
            base = self.sources / path
            if not base.exists():
                base = REPOSITORY / path
            files = [base] if base.is_file() else sorted(base.rglob("*.swift"))
            found += [f for f in files if str(f.relative_to(base)) not in replaced or str(path).startswith(STAND_INS)]
        if is_shadowed:
            found += sorted((self.sources / SHADOWS).rglob("*.swift"))
        return found + self.generated(module)

    def generated(self, module):
        """The files that the package's build writes: embedded migrations and texts."""
        folder = self.output / "generated" / module
        texts = {}
        if module == "StoragePostgres":
            lines = ["struct PackageResources {"]
            for path in sorted((self.sources / "Sources/StoragePostgres/Migrations").glob("*.sql")):
                name = "_" + path.name[1:].replace(".", "_")
                lines.append(f"static let {name}: [UInt8] = Array(####\"\"\"\n{path.read_text()}\n\"\"\"####.utf8)")
            texts["Resources.swift"] = "\n".join(lines + ["}"])
        elif module in ("API", "Service"):
            members = ("path", "text", "brotli", "gzip")
            types, values = (", ".join(form.format(name) for name in members) for form in ("{}: StaticString", '{}: ""'))
            texts["EmbeddedFiles.swift"] = f"enum EmbeddedFiles {{ static let all: [({types})] = [({values})] }}"
        for name, text in texts.items():
            path = folder / name
            if not path.exists() or path.read_text() != text:
                folder.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        return [folder / name for name in texts]

    def digest(self, paths, *more):
        digest = hashlib.sha256(repr(more).encode())
        for path in paths:
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def imports(self, module):
        found = []
        for name in MODULES[module][2]:
            for each in self.imports(name) + [name]:
                if each not in found:
                    found.append(each)
        return found

    def compile(self, module):
        files = self.files(module)
        interfaces = [self.output / f"{name}.swiftmodule" for name in self.imports(module)]
        own = self.digest(files)
        state = own + " " + self.digest(interfaces, OPTIMIZATION, self.flags)
        mark, target = self.output / f"{module}.state", self.output / f"{module}.o"
        if target.exists() and mark.exists() and mark.read_text() == state:
            return
        if self.keeps_interfaces and mark.read_text().split()[0] == own:
            return
        command = ["swiftc", self.optimization, "-wmo", "-enable-bare-slash-regex", "-swift-version",
                   "5" if module in SINGLE_THREADED else "6", "-parse-as-library", "-enforce-exclusivity=unchecked",
                   "-gline-tables-only", "-package-name", "longpress", "-module-name", module, "-emit-module", "-emit-module-path",
                   self.output / f"{module}.swiftmodule.new", "-emit-object", "-o", target, "-I", self.output, "-no-color-diagnostics"]
        for folder in SYSTEM:
            base = self.sources / folder
            command += ["-I", base if base.exists() else REPOSITORY / folder]
        for flag in self.flags:
            command += ["-Xcc", flag]
        done = subprocess.run([str(part) for part in command + files], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{module} does not compile:\n{done.stdout[-8000:]}{done.stderr[-8000:]}")
        if module == "Platform":
            renames = [f"--redefine-sym={name}=simulated_{name}" for name in PTHREAD]
            subprocess.run(["objcopy", *renames, target], check=True)
        self.refuse_leaks(module, target)
        new, interface = self.output / f"{module}.swiftmodule.new", self.output / f"{module}.swiftmodule"
        # An equal interface keeps its time and its users their objects.
        new.replace(interface)
        mark.write_text(state)
        print(f"compiled {module}", file=sys.stderr, flush=True)

    def refuse_leaks(self, module, target):
        """A thread that waits outside of the kernel would stop all of them."""
        if not MODULES[module][3]:
            return
        symbols = subprocess.run(["nm", "-u", target], capture_output=True, text=True).stdout.split()
        leaks = [symbol for symbol in symbols if symbol.startswith(LEAKS)]
        if leaks:
            raise SystemExit(f"{module} waits outside of the simulator's kernel: {', '.join(leaks)}. Add a stand-in.")

    def compile_all(self):
        self.output.mkdir(parents=True, exist_ok=True)
        left = dict.fromkeys(MODULES)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            running = {}
            done = set()
            while left or running:
                for module in [m for m in left if all(i in done for i in self.imports(m))]:
                    del left[module]
                    running[pool.submit(self.compile, module)] = module
                finished, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in finished:
                    future.result()
                    done.add(running.pop(future))

    def link(self):
        native = []
        for path in ("Kernel/C/kernel.c", "Simulation/C/simulation.c"):
            native.append(self.output / ("native-" + pathlib.Path(path).stem + ".o"))
            subprocess.run(["clang", "-O2", "-c", self.sources / "Tests/Simulation" / path, "-o", native[-1], *self.flags], check=True)
        program = self.output / "simulation"
        objects = [self.output / f"{module}.o" for module in MODULES]
        state = self.digest(objects + native)
        mark = self.output / "simulation.state"
        if program.exists() and mark.exists() and mark.read_text() == state:
            return program
        command = ["swiftc", "-o", program, *objects, *native, "-lsqlite3", "-Xlinker", "--export-dynamic"]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"The simulator cannot be linked:\n{done.stderr[-8000:]}")
        mark.write_text(state)
        return program


def build(sources=REPOSITORY, output=None, keeps_interfaces=False):
    """Returns the path of the program.

    `keeps_interfaces`: the sources differ from those of the last build in bodies of functions only, so modules that import a changed one
    need not be compiled again.
    """
    it = Build(pathlib.Path(sources), pathlib.Path(output or REPOSITORY / ".build-simulation"), keeps_interfaces)
    it.compile_all()
    return it.link()


if __name__ == "__main__":
    print(build(*[pathlib.Path(argument).resolve() for argument in sys.argv[1:]]))
