# The commands of this repository; `make` alone lists them.

SHELL := /bin/bash
CARGO ?= cargo
# arguments of the service: make run ARGS='--listen 127.0.0.1:9000'
ARGS ?=
# arguments of the test runner: make test TESTS=crate_dependencies
TESTS ?=

# the database of `make scale` (sqlite or postgres) and its number of servers
DATABASE ?= sqlite
SERVERS ?= 100000

# requests of `make hostile`: total, and per operation of the OpenAPI document
INPUTS ?= 100000
CASES ?= 320

# filter of `make micro`: only benchmarks whose names contain it run
BENCH ?=

# the store of `make cluster`: redis or valkey
STORE ?= redis

# number of restarts in `make restarts`
RESTARTS ?= 1000

.DEFAULT_GOAL := help
.PHONY: help run package console openapi picture test hostile restarts bench model micro scale calls ingest recording soak cluster lint fmt clean tools

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: tools console ## build the console and the service with a profile that compiles quickly, and start the service (ARGS=... are its arguments)
	$(CARGO) build --profile quick --locked -p toolgate
	@exec "$${CARGO_TARGET_DIR:-target}/quick/toolgate" serve $(ARGS)

# the binaries with an optimised layout
OPTIMIZED = $${CARGO_TARGET_DIR:-target}/dist/optimized
PACKAGED_BINARIES = $(if $(PACKAGED),env BINARY="$(OPTIMIZED)/toolgate" MINIMAL="$(OPTIMIZED)/minimal")

# A build for packages. The paths of this machine stay out of the binary; its code can be moved only with relocations and symbols.
# The shell variable profile_use is the option that scripts/compiler-profile prints.
DIST_FLAGS = $${RUSTFLAGS:-} --remap-path-prefix=$(CURDIR)=/toolgate --remap-path-prefix=$${CARGO_HOME:-$$HOME/.cargo}=/cargo -Clink-arg=-Wl,--emit-relocs
DIST_BUILD = CARGO_PROFILE_DIST_STRIP=debuginfo RUSTFLAGS="$(DIST_FLAGS) $$profile_use" $(CARGO) build --profile dist --locked
COMPILER_PROFILE = CARGO_PROFILE_DIST_STRIP=debuginfo RUSTFLAGS="$(DIST_FLAGS)" scripts/compiler-profile

package: tools ## build the optimised binary with the console, and pack it: tar archive, Debian package, checksums (target/package)
	@CI=true scripts/console
	profile_use="$$($(COMPILER_PROFILE) toolgate "$(OPTIMIZED)/toolgate.profdata")" && $(DIST_BUILD) -p toolgate --bin toolgate
	@scripts/optimize-layout "$${CARGO_TARGET_DIR:-target}/dist/toolgate" "$(OPTIMIZED)/toolgate"
	@scripts/package "$(OPTIMIZED)/toolgate" "$${CARGO_TARGET_DIR:-target}/package"

console: ## build the web console (needs Node.js)
	@scripts/console

test: tools ## run all tests with a temporary PostgreSQL, Redis, real MCP clients and a browser (TESTS=... selects)
	@scripts/require-curl
	@scripts/require-redis
	@scripts/require-nginx optional
	@scripts/require-promtool
	@scripts/require-package-tools
	@export TOOLGATE_JSON_SCHEMA_SUITE="$$(scripts/json-schema-suite || true)"; \
	export TOOLGATE_MCP_CLIENTS="$$(scripts/mcp-clients || true)"; \
	export TOOLGATE_DEPLOY_TOOLS="$$(scripts/deploy-tools || true)"; \
	scripts/console check || exit 1; \
	export TOOLGATE_NODEJS="$$(scripts/console node || true)"; \
	export TOOLGATE_CHROMIUM="$$(scripts/require-chromium || true)"; \
	export TOOLGATE_SCHEMATHESIS="$$(scripts/schemathesis || true)"; \
	export TOOLGATE_OTLP_RECEIVER="$$(scripts/otlp-receiver || true)"; \
	export TOOLGATE_VALKEY="$$(scripts/valkey || true)"; \
	export TOOLGATE_FAKETIME="$$(scripts/require-faketime || true)"; \
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
		export NEXTEST_TEST_THREADS="$${NEXTEST_TEST_THREADS:-$$((2 * $$(nproc)))}"; \
		set -x; exec scripts/with-postgres $(CARGO) nextest run --workspace --locked $(TESTS); \
	else \
		set -x; exec scripts/with-postgres $(CARGO) test --workspace --locked $(TESTS); \
	fi

openapi: tools ## update console/openapi.json, the source of the console's types, from the service
	TOOLGATE_RENEW_OPENAPI=1 $(CARGO) test --locked -p toolgate --test it -- the_copy_for_the_console

picture: tools console ## update the screenshots of the console in docs/
	TOOLGATE_NODEJS="$$(scripts/console node)" TOOLGATE_CHROMIUM="$$(scripts/require-chromium)" TOOLGATE_RENEW_PICTURE=1 \
		$(CARGO) test --locked -p toolgate --test it -- console::picture

hostile: tools ## send 100,000 bad inputs over REST and MCP, and about 20,000 generated from the OpenAPI document (INPUTS=n, CASES=n per operation)
	TOOLGATE_SCHEMATHESIS="$$(scripts/schemathesis || true)" \
	TOOLGATE_TEST_HOSTILE_INPUTS=$(INPUTS) TOOLGATE_TEST_SCHEMATHESIS_CASES=$(CASES) \
		$(CARGO) test --locked -p toolgate --test it -- hostile::volume schemathesis --nocapture

restarts: tools ## restart the service 1,000 times under load and check that every call in progress gets its response (RESTARTS=n)
	TOOLGATE_TEST_RESTARTS=$(RESTARTS) $(CARGO) test --locked -p toolgate --test it -- restarts_under_load --nocapture

bench: tools ## measure calls compared with nginx and a minimal gateway, growth, startup and memory (ROUNDS, SECONDS, ONLY, SERVERS, FULL=1, BASELINE=path of another build, PACKAGED=1 for the binary of make package)
	@scripts/require-nginx
ifdef PACKAGED
	@test -x "$(OPTIMIZED)/toolgate" || { echo 'make bench PACKAGED=1 measures the binary of make package: run that first' >&2; exit 1; }
endif
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example compare -p toolgate-minimal --bin minimal
ifdef PACKAGED
	profile_use="$$($(COMPILER_PROFILE) minimal "$(OPTIMIZED)/minimal.profdata")" && $(DIST_BUILD) -p toolgate-minimal
	@scripts/optimize-layout "$${CARGO_TARGET_DIR:-target}/dist/minimal" "$(OPTIMIZED)/minimal"
endif
	@# ten thousand connections need as many file descriptors on both sides
	@ulimit -n "$$(ulimit -Hn)" || true; set -x; exec $(PACKAGED_BINARIES) "$${CARGO_TARGET_DIR:-target}/release/examples/compare"

model: tools ## measure what a model gets: tokens of lists and responses, texts of failures, and the cost of all that (target/model.json)
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example model
	"$${CARGO_TARGET_DIR:-target}/release/examples/model"

micro: tools ## measure single steps of a call, counting it for metrics, parsing a curl command, estimating tokens (BENCH=name)
	$(CARGO) bench --locked -p toolgate-mcp --features fuzzing --bench envelope -- $(BENCH)
	$(CARGO) bench --locked -p toolgate-mcp --features fuzzing --bench credentials -- $(BENCH)
	$(CARGO) bench --locked -p toolgate-execution --bench call -- $(BENCH)
	$(CARGO) bench --locked -p toolgate-analytics --bench metrics -- $(BENCH)
	$(CARGO) bench --locked -p toolgate-import --bench curl -- $(BENCH)
	$(CARGO) bench --locked -p toolgate-domain --bench tokens --bench trace -- $(BENCH)

scale: tools ## measure the API at 100,000 servers and 1,000,000 tools (DATABASE=postgres, SERVERS=n)
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example scale
	DATABASE=$(DATABASE) SERVERS=$(SERVERS) "$${CARGO_TARGET_DIR:-target}/release/examples/scale"

calls: tools ## measure reports and the call log at 10,000,000 recorded calls (DATABASE=postgres, CALLS=n)
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example calls
	DATABASE=$(DATABASE) "$${CARGO_TARGET_DIR:-target}/release/examples/calls"

ingest: tools ## measure ingest transactions on PostgreSQL by calls, tools and nodes (SECONDS=n for each row)
	$(CARGO) build --release --locked -p toolgate --example ingest
	"$${CARGO_TARGET_DIR:-target}/release/examples/ingest"

recording: tools ## measure the cost of recording a call (CALLS=n per round)
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example recording
	"$${CARGO_TARGET_DIR:-target}/release/examples/recording"

soak: tools ## run mixed load for 30 minutes and check that memory and file descriptors stay flat and every response is correct (MINUTES=n, RATE=n per second)
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example soak
	"$${CARGO_TARGET_DIR:-target}/release/examples/soak"

cluster: tools ## run three nodes, PostgreSQL, Redis and nginx under load and faults and check that no call is lost and no limit exceeded (STORE=valkey, SECONDS=n per fault, RATE=n, ROUNDS=n)
	@scripts/require-nginx
	@scripts/require-redis
	$(CARGO) build --release --locked -p toolgate --bin toolgate --example cluster
	@export TOOLGATE_VALKEY="$$(scripts/valkey || true)"; \
	export TOOLGATE_FAKETIME="$$(scripts/require-faketime || true)"; \
	set -x; STORE=$(STORE) exec scripts/with-postgres "$${CARGO_TARGET_DIR:-target}/release/examples/cluster"

lint: tools ## check the format, the lints and the documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

fmt: tools ## format the code
	$(CARGO) fmt --all

clean: ## remove build output
	$(CARGO) clean

tools:
	@scripts/require-build-tools
