# Longpress: every command a contributor or an operator needs. `make run` and `make test` set up what they need.

SWIFT ?= swift
PYTHON ?= python3
VENV := .venv
BINARY := .build/release/longpress

# What a build needs beside Swift, by its Debian and Ubuntu names: libraries that the package links, and esbuild and Brotli for the console.
LIBRARIES := libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev zlib1g-dev esbuild brotli ca-certificates curl
# What the tests use beside them: a Python consumer of webhooks and of the OpenAPI document, and Node.js for the console's rules.
TEST_TOOLS := nodejs postgresql python3 python3-venv sqlite3 openssl strace libfaketime
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# What the measurements use beside them, and each of them alone: make bench-fetch, make bench-writes, …
BENCH_TOOLS := wrk nghttp2-client nginx-light valgrind procps util-linux binutils gcc python3
MEASUREMENTS := fetch instructions breadth writes busy small strangers loops stream

.PHONY: cuts help man setup setup-test build run dist test-dist deb test-deb test setup-browser setup-console test-console screenshots differential check format bench bench-setup bench-smoke bench-webhooks bench-bulk bench-client bench-cluster bench-console \
	api accept-api docs modules kill kill-cluster test-cluster fuzz sanitize prove simulate simulate-planted hostile schemathesis slowhttptest memory soak clean $(addprefix bench-,$(MEASUREMENTS))

help:
	@echo "make run     build in release and start Longpress with a sample app on 127.0.0.1:8080"
	@echo "make dist    a tarball in .build/dist: the program, checksums, a bill of materials; make test-dist  builds it twice, compares, and tests the program"
	@echo "make deb     a Debian package in .build/dist; make test-deb  installs, starts, upgrades and purges it in a chroot"
	@echo "make man     the manual pages in .build/man: man -M .build/man longpress-plan"
	@echo "make test    all tests"
	@echo "make test-console      the console in Chromium, or with BROWSER=firefox in Firefox: journeys, accessibility, conflicts of two editors"
	@echo "make screenshots       pictures of the console, for README"
	@echo "make test-cluster      the acceptance suite on PostgreSQL, and what three nodes are put through, kills apart; some 20 minutes"
	@echo "make kill    kill -9 under load, KILLS=200 times; make kill-cluster  the same with three nodes, and their PostgreSQL RESTARTS=20 times"
	@echo "make simulate          nodes, database and consumers in virtual time, from a seed: SEED=7, or SECONDS=60 of new ones; make simulate-planted"
	@echo "make differential  the program beside the contract's model, over many random timelines"
	@echo "make check   formatting, stray SQL, imports, OpenAPI; with tsc (make setup-console has it) also the console's types"
	@echo "make format  format the sources in place"
	@echo "make api     the libraries' public API beside what was accepted; make accept-api accepts it"
	@echo "make docs    the libraries' documentation, into .build/docs"
	@echo "make bench   everything that is measured, beside its peers, into Benchmarks/RESULTS.md; parts: $(addprefix bench-,$(MEASUREMENTS))"
	@echo "make bench-webhooks  deliveries beside a plain libcurl loop, in one run"
	@echo "make bench-client    what LongpressKit costs: build time, binary size, a tap"
	@echo "make bench-bulk      large imports beside publishes, on both engines"
	@echo "make bench-cluster   three nodes on one PostgreSQL"
	@echo "make bench-console   the console's first page in Chromium"
	@echo "make fuzz SECONDS=60   fuzz what reads bytes from outside; 0 replays the corpus"
	@echo "make sanitize          the Swift tests under the thread and the address sanitizer"
	@echo "make schemathesis      requests made up from openapi.yaml; make slowhttptest   slow clients"
	@echo "make memory  the most memory that what is admitted takes"
	@echo "make prove   everything heavy on the last commit, with a table; goes on where it was interrupted. PARTS=\"kill soak\" runs some"
	@echo "make cuts    every system call of every operation on files fails, with a table; CASE=\"…\" repeats one; KINDS=\"backup restore\" runs some"
	@echo "make soak MINUTES=10   mixed load with faults, then: nothing lost, memory and descriptors flat"

setup:
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.3 or later was not found. Install it from https://www.swift.org/install/linux/," \
		"or use Docker: README.md, \"Start\"."; exit 1; }
	@sh scripts/install-packages $(LIBRARIES)

setup-test: setup
	@sh scripts/install-packages $(TEST_TOOLS)
	@cmp -s Tests/requirements.txt $(VENV)/requirements.txt || { $(PYTHON) -m venv $(VENV) && \
		$(VENV)/bin/pip install --quiet --disable-pip-version-check -r Tests/requirements.txt && \
		cp Tests/requirements.txt $(VENV)/; }
	@sh scripts/unpack-tool $(VENV)/bin/promtool usr/bin/promtool prometheus
	@sh scripts/unpack-tool $(VENV)/bin/nginx usr/sbin/nginx nginx nginx-core

# Swift's own linker, and no table of the program's symbols, which nothing looks up (docs/decisions/0013-icu.md).
LINKING := -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic

build: setup
	$(SWIFT) build -c release --product longpress --static-swift-stdlib $(LINKING)

run: build
	$(BINARY) demo --session .build/demo.env

# The pages of the commands, and of the topics of `longpress help`.
man: build
	@mkdir -p .build/man/pages .build/man/man1 .build/man/man7
	@scripts/manual-pages $(BINARY) "$$(git log -1 --format=%cs)" .build/man/pages
	@mv .build/man/pages/*.1 .build/man/man1/ && mv .build/man/pages/*.7 .build/man/man7/ && rmdir .build/man/pages

# Packages of the release, and where they are put.
DIST := .build/dist

# Without symbols, and without what depends on the folder of the build: the build ID covers debugging information, which has paths, and
# .swift_modhash is for incremental builds.
$(DIST)/longpress: build
	@sh scripts/install-packages binutils
	@mkdir -p $(DIST)
	@strip --strip-all -R .comment -R .note.gnu.gold-version -R .note.gnu.build-id -R .swift_modhash -o $@ $(BINARY)

dist: $(DIST)/longpress
	@sh scripts/install-packages python3
	@sh scripts/build-dist $< $(DIST) $(SWIFT)

test-dist: setup-test
	@sh scripts/test-dist $(VENV)/bin/pytest -n $(PROCESSES) --dist loadfile

deb: $(DIST)/longpress
	@sh scripts/install-packages dpkg-dev python3
	@sh scripts/build-deb $< $(DIST)

test-deb: deb
	@sh scripts/install-packages lintian mmdebstrap || true
	@$(PYTHON) scripts/test-deb $(DIST)/longpress.deb

# How many files of acceptance tests run at once. They wait more than they compute.
PROCESSES ?= 4

test: setup-test
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	$(SWIFT) test --skip-build
	node --test Tests/Console/unit/*.mjs
	$(PYTHON) Tests/Simulation/simulate.py run SEED=1 COUNT=200 STEPS=20
	LONGPRESS_BINARY=.build/debug/longpress $(VENV)/bin/pytest -q -n $(PROCESSES) --dist loadfile Tests/Acceptance

# chromium or firefox, and which tests of the console.
BROWSER ?= chromium
CONSOLE_TESTS ?= Tests/Console

# The distribution's browser, the letters that its pictures of the console need, the compiler that `make check` checks types with, and a
# reader of QR codes.
setup-browser: setup-test
	@sh scripts/install-packages $(if $(filter firefox,$(BROWSER)),firefox-esr,chromium) fonts-noto-cjk node-typescript zbar-tools
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r Tests/Console/requirements.txt

setup-console: setup-browser
	$(SWIFT) build --product longpress

test-console: setup-console
	BROWSER=$(BROWSER) LONGPRESS_BINARY=.build/debug/longpress $(VENV)/bin/pytest -q $(CONSOLE_TESTS)

# Into docs/images.
screenshots: setup-console
	LONGPRESS_BINARY=.build/debug/longpress $(VENV)/bin/python Tests/Console/screenshots.py

KILLS ?= 200
kill: build setup-test
	KILLS=$(KILLS) LONGPRESS_BINARY=$(BINARY) $(VENV)/bin/pytest -q -s Tests/Acceptance/operating/test_kill.py

RESTARTS ?= 20
kill-cluster: build setup-test
	KILLS=$(KILLS) RESTARTS=$(RESTARTS) TERMINATIONS=100 CUTS=100 LONGPRESS_BINARY=$(BINARY) $(VENV)/bin/pytest -q -s Tests/Acceptance/cluster/test_cluster_kill.py

# PgBouncer where it can be had; its test is skipped elsewhere.
test-cluster: setup-test
	@sh scripts/install-packages libc-ares2 libevent-2.1-7 && sh scripts/unpack-tool $(VENV)/bin/pgbouncer usr/sbin/pgbouncer pgbouncer || true
	$(SWIFT) build --product longpress
	NEXT_VERSION=1 LONGPRESS_CLUSTER=long LONGPRESS_BINARY=.build/debug/longpress \
		$(VENV)/bin/pytest -q -s Tests/Acceptance/cluster Tests/Acceptance/menus/test_revision.py \
		Tests/Acceptance/publishing/test_copy.py --deselect Tests/Acceptance/cluster/test_cluster_kill.py
	LONGPRESS_CLUSTER=long $(SWIFT) test --filter StorageTests.SilenceTests
	LONGPRESS_ENGINE=postgres LONGPRESS_BINARY=.build/debug/longpress \
		$(VENV)/bin/pytest -q -n $(PROCESSES) --dist loadfile Tests/Acceptance -m 'not any_engine'

differential: setup-test
	$(SWIFT) build --product longpress
	LONGPRESS_BINARY=.build/debug/longpress LONGPRESS_DIFFERENTIAL=$${LONGPRESS_DIFFERENTIAL:-1000} \
		$(VENV)/bin/pytest -q -s Tests/Acceptance/menus/test_differential.py

check: setup-test
	@sh scripts/check $(SWIFT) $(VENV)

# The compiled modules that the public API and the documentation are read from.
modules: setup
	@$(SWIFT) build --target LongpressWebhooks
	@$(SWIFT) build --target LongpressKit --package-path Tests/UIKitDouble

api: modules
	@$(PYTHON) scripts/public_api.py check

accept-api: modules
	@$(PYTHON) scripts/public_api.py accept

docs: modules
	@$(PYTHON) scripts/public_api.py docs .build/docs
	@echo "To read them: $(PYTHON) -m http.server -d .build/docs/LongpressKit.doccarchive, then /documentation/longpresskit"

format:
	$(SWIFT) format --in-place --recursive Sources Plugins Tests Package.swift

bench-setup: build
	@sh scripts/install-packages $(BENCH_TOOLS)

# A package of its own, so that Longpress does not depend on its peer.
Benchmarks/FixedAnswer/.build/release/fixed-answer: Benchmarks/FixedAnswer/Sources/fixed-answer/main.swift
	$(SWIFT) build -c release --package-path Benchmarks/FixedAnswer

bench: bench-setup Benchmarks/FixedAnswer/.build/release/fixed-answer
	$(PYTHON) Benchmarks/all.py $(MEASUREMENTS)

$(addprefix bench-,$(MEASUREMENTS)): bench-%: bench-setup
	$(PYTHON) Benchmarks/$*.py

# Whether the measurements still run, not how fast anything is.
bench-smoke:
	@if sh scripts/install-packages $(BENCH_TOOLS); then \
		SMOKE=1 ROUNDS=1 SECONDS_A_ROUND=1 LONGPRESS_BINARY=$(CURDIR)/.build/debug/longpress $(PYTHON) Benchmarks/all.py $(MEASUREMENTS); \
	else echo "bench-smoke: the peers cannot be installed on this machine; nothing was measured."; fi

# What the client library costs whoever links it.
bench-client: build
	@sh scripts/install-packages binutils util-linux python3
	$(PYTHON) Benchmarks/client.py

bench-webhooks: build
	@sh scripts/install-packages gcc libc6-dev libcurl4-openssl-dev python3
	$(PYTHON) Benchmarks/webhooks.py

# How long the console's first page takes in Chromium.
bench-console: build setup-browser
	@sh scripts/install-packages nginx-light
	$(VENV)/bin/python Benchmarks/console.py

# Large imports beside publishes, on both engines.
bench-bulk: bench-setup setup-test
	$(PYTHON) Benchmarks/bulk.py

bench-cluster: bench-setup setup-test
	@sh scripts/install-packages gcc libc6-dev
	$(PYTHON) Benchmarks/cluster.py

# Several nodes in virtual time (Tests/Simulation/README.md): SEED=7 for one seed, SECONDS=60 for new ones, COUNT=, NODES=, STEPS=,
# ORDER=, TRACE=file, SKIP=steps.
simulate: setup
	@$(SWIFT) package resolve >/dev/null
	@$(PYTHON) Tests/Simulation/simulate.py run SEED=$(SEED) SECONDS=$(if $(filter command line,$(origin SECONDS)),$(SECONDS)) COUNT=$(COUNT) NODES=$(NODES) STEPS=$(STEPS) ORDER=$(ORDER) TRACE=$(TRACE) SKIP=$(SKIP)

# Each patch in Tests/Simulation/planted must be found within two minutes. NAME= for one of them, ROTATE=5 for five of them.
simulate-planted: setup
	@$(SWIFT) package resolve >/dev/null
	@$(PYTHON) Tests/Simulation/simulate.py planted $(if $(ROTATE),ROTATE=$(ROTATE)) $(NAME)

# Seconds of fuzzing in all, minutes of soaking.
SECONDS ?= 60
MINUTES ?= 10
HOSTILE := LONGPRESS_BINARY=.build/debug/longpress $(VENV)/bin/python

fuzz: setup
	@sh scripts/fuzz $(SWIFT)c $(SECONDS)

sanitize: setup
	@sh scripts/sanitize $(SWIFT) thread
	@sh scripts/sanitize $(SWIFT) address

hostile: setup-test
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r Tests/Hostile/requirements.txt
	@$(SWIFT) build --product longpress

schemathesis: hostile
	$(HOSTILE) Tests/Hostile/schemathesis_run.py

slowhttptest: hostile
	@sh scripts/install-packages slowhttptest
	$(HOSTILE) Tests/Hostile/slowhttptest_run.py

memory: hostile
	$(HOSTILE) Tests/Hostile/memory.py

soak: hostile
	$(HOSTILE) Tests/Hostile/soak.py $(MINUTES)

# Every boundary of every operation; CASE is what a failed run printed. KINDS begin like the lines of a run: 'backup "PostgreSQL, claim"'.
# Its databases are in memory where there is room: it makes thousands of them, and disks and PostgreSQL's processes do not fail in it.
KINDS ?=
cuts: export TMPDIR := $(shell [ "$$(df -k --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 12000000 ] 2>/dev/null && echo /dev/shm || echo "$${TMPDIR:-/tmp}")
cuts: build setup-test
	@sh scripts/install-packages gcc libc6-dev
	@sh scripts/install-packages libc-ares2 libevent-2.1-7 && sh scripts/unpack-tool $(VENV)/bin/pgbouncer usr/sbin/pgbouncer pgbouncer || true
	$(SWIFT) build --build-tests
	@LONGPRESS_PGBOUNCER=$$(ls $(VENV)/bin/pgbouncer 2>/dev/null) SWIFT=$(SWIFT) LONGPRESS_BINARY=$(BINARY) CASE="$(CASE)" $(PYTHON) Tests/Cuts/cases.py $(KINDS)

# Everything above that takes long, on a fresh clone of the last commit; goes on where an interrupted run stopped.
PARTS ?=
prove:
	@$(PYTHON) scripts/prove $(PARTS)

clean:
	rm -rf .build .build-* $(VENV) .hypothesis .schemathesis
	find Benchmarks Examples Tests \( -name .build -o -name __pycache__ \) -prune -exec rm -rf {} +
