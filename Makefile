# The commands of this repository; `make` alone lists them.

SHELL := /bin/bash
CARGO ?= cargo
# arguments of the service: make run ARGS='--listen 127.0.0.1:9000'
ARGS ?=
# arguments of the test runner: make test TESTS=house
TESTS ?=

# what `make scale` fills: sqlite or postgres, and with how many servers
DATABASE ?= sqlite
SERVERS ?= 100000

.DEFAULT_GOAL := help
.PHONY: help run test scale calls recording lint fmt clean tools

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: tools ## build the service in release mode and start it (ARGS=... are passed on)
	$(CARGO) build --release --locked -p toolgate
	@exec "$${CARGO_TARGET_DIR:-target}/release/toolgate" serve $(ARGS)

test: tools ## run every test, with a temporary PostgreSQL, Redis and real MCP clients beside them (TESTS=... selects)
	@scripts/require-curl
	@scripts/require-redis
	@export TOOLGATE_JSON_SCHEMA_SUITE="$$(scripts/json-schema-suite || true)"; \
	export TOOLGATE_MCP_CLIENTS="$$(scripts/mcp-clients || true)"; \
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
		set -x; exec scripts/with-postgres $(CARGO) nextest run --workspace --locked $(TESTS); \
	else \
		set -x; exec scripts/with-postgres $(CARGO) test --workspace --locked $(TESTS); \
	fi

scale: tools ## measure the API at 100,000 servers and 1,000,000 tools (DATABASE=postgres, SERVERS=n)
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example scale
	DATABASE=$(DATABASE) SERVERS=$(SERVERS) "$${CARGO_TARGET_DIR:-target}/release/examples/scale"

calls: tools ## measure reports and the log at 10,000,000 recorded calls (DATABASE=postgres, CALLS=n)
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example calls
	DATABASE=$(DATABASE) "$${CARGO_TARGET_DIR:-target}/release/examples/calls"

recording: tools ## measure what recording a call costs (CALLS=n a round)
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example recording
	"$${CARGO_TARGET_DIR:-target}/release/examples/recording"

lint: tools ## check the format, the lints and the documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

fmt: tools ## format the code
	$(CARGO) fmt --all

clean: ## remove what was built
	$(CARGO) clean

tools:
	@scripts/require-build-tools
