# Longpress: every command a contributor or an operator needs. `make run` and `make test` set up what they need.

SWIFT ?= swift
PYTHON ?= python3
VENV := .venv
BINARY := .build/release/longpress

# System libraries the package links, by their Debian and Ubuntu names.
LIBRARIES := libcurl4-openssl-dev libsqlite3-dev zlib1g-dev ca-certificates curl
# What the tests use beside them: a Python consumer of webhooks and of the OpenAPI document.
TEST_TOOLS := python3 python3-venv sqlite3
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: help setup setup-test build run test check format lint bench bench-webhooks kill fuzz sanitize hostile schemathesis slowhttptest soak clean

help:
	@echo "make run     build in release and start Longpress with a sample app on 127.0.0.1:8080"
	@echo "make test    all tests"
	@echo "make kill    kill -9 under load, KILLS=200 times"
	@echo "make check   formatting, stray SQL, imports, OpenAPI"
	@echo "make format  format the sources in place"
	@echo "make bench   the fetch path beside nginx, in one run"
	@echo "make bench-webhooks  deliveries beside a plain libcurl loop, in one run"
	@echo "make fuzz SECONDS=60   fuzz what reads bytes from outside; 0 replays the corpus"
	@echo "make sanitize          the Swift tests under the thread and the address sanitizer"
	@echo "make schemathesis      requests made up from openapi.yaml; make slowhttptest   slow clients"
	@echo "make soak MINUTES=10   mixed load with faults, then: nothing lost, memory and descriptors flat"

setup:
	@sh scripts/install-packages $(LIBRARIES)

setup-test: setup
	@sh scripts/install-packages $(TEST_TOOLS)
	@test -x $(VENV)/bin/pytest || { $(PYTHON) -m venv $(VENV) && \
		$(VENV)/bin/pip install --quiet --disable-pip-version-check -r Tests/requirements.txt; }

build: setup
	$(SWIFT) build -c release --product longpress --static-swift-stdlib

run: build
	$(BINARY) demo

test: setup-test
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	$(SWIFT) test --skip-build
	LONGPRESS_BINARY=.build/debug/longpress $(VENV)/bin/pytest -q Tests/Acceptance

KILLS ?= 200
kill: build setup-test
	KILLS=$(KILLS) LONGPRESS_BINARY=$(BINARY) $(VENV)/bin/pytest -q -s Tests/Acceptance/test_kill.py

check: setup-test
	@sh scripts/check $(SWIFT) $(VENV)

format:
	$(SWIFT) format --in-place --recursive Sources Tests Package.swift

bench: build
	@sh scripts/install-packages wrk nginx-light procps util-linux python3
	$(PYTHON) Benchmarks/fetch.py

bench-webhooks: build
	@sh scripts/install-packages gcc libc6-dev libcurl4-openssl-dev python3
	$(PYTHON) Benchmarks/webhooks.py

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

soak: hostile
	$(HOSTILE) Tests/Hostile/soak.py $(MINUTES)

clean:
	rm -rf .build .build-* $(VENV)
