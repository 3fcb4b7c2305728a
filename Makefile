# Tasks of this repository. `make` lists them; `make run` starts the site; `make test` is what the CI runs.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

festival := target/debug/festival
stamps := target/stamps
postgres := tests/support/with-postgres.sh
in_memory := $(abspath tests/support/in-memory.sh)
website := $(stamps)/frontend
website_sources := $(shell find frontend/src frontend/scripts frontend/public docs/handbook -type f) core/records/src/sounds.json \
	$(wildcard frontend/*.json frontend/*.ts)

# The demonstration's dates: those of the coming weeks, or those of its file.
ifeq ($(DATES),specified)
dates_notice := "The demonstration has the dates of 2025: the festival from 24 to 31 October. make run moves them to the coming weeks."
else ifdef DATES
$(error DATES is "specified" or not set)
else
dates := --relative-dates
dates_notice := "All dates of the demonstration are moved to the coming weeks. make run DATES=specified shows those of its file: the festival from 24 to 31 October 2025."
endif

# A website that was removed by hand is built again.
$(shell test -e frontend/dist/templates/home.hbs || rm -f $(website))

.PHONY: help run test dev build release check check-deploy audit fmt types handbook bench fuzz faults lists cluster soak lighthouse frontend e2e browsers
.PHONY: tools program check-style check-rust check-frontend check-audit prepared test-programs s3-server deploy-tools
.PHONY: test-rust test-frontend test-deploy

help: ## List all targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: tools $(website) program ## Build, fill in the demonstration festival, start the site; DATES=specified for dates in 2025
	@$(festival) seed --demo $(dates)
	@echo $(dates_notice)
	@exec $(festival) serve

test: check-style prepared test-rust test-deploy e2e ## Every check and every test: style, SQLite, Postgres, frontend, deployment, real browser
# Lints while it compiles what it tests: dependencies are compiled once, not for `cargo clippy` as well.
test: export RUSTC_WORKSPACE_WRAPPER := $(abspath tests/support/clippy-rustc.sh)

dev: tools $(website) program frontend/node_modules/.package-lock.json ## Start the site and a second address that shows frontend changes at once
	@trap 'kill $$(jobs -p) 2>/dev/null || true' EXIT; $(festival) serve & cd frontend && npm run dev

build: tools $(website) ## Make target/release/festival: one file to copy to a server
	cargo build --release -p festival
	@node cli/scripts/sbom.mjs target/release/festival.cdx.json # The built-in packages, in CycloneDX.

release: tools ## Pack a release into target/dist: archive, Debian package, checksums, bill of materials, image; DRAFT=1 for a trial
	@node cli/scripts/release.mjs --check $(if $(DRAFT),--draft)
	@$(MAKE) build
	@node cli/scripts/release.mjs $(if $(DRAFT),--draft)

check: check-style check-rust check-frontend check-audit ## The quick checks: style, lints, types, known vulnerabilities if they can be queried

audit: frontend/node_modules/.package-lock.json ## Check whether built-in packages have known vulnerabilities
	@cli/scripts/audit.sh

check-deploy: program deploy-tools ## Check systemd units, alerting rules, container, compose and workflow files with the tools that are installed
	@cargo test -p festival-tests --test it --quiet deploy
	@FESTIVAL_TEST_PROGRAM=$(abspath $(festival)) node --test --test-timeout=300000 --test-reporter=spec tests/deploy/files.test.mjs
	@if command -v promtool >/dev/null; then promtool check rules config/alerts.yml; \
		else echo "NOT CHECKED: config/alerts.yml (promtool, of Prometheus, is not installed)"; fi
	@if command -v systemd-analyze >/dev/null; then \
		for unit in festival festival-backup; do systemd-analyze security --offline=true config/deploy/$$unit.service | tail -1; done; \
		else echo "NOT CHECKED: config/deploy/*.service (systemd-analyze is not installed)"; fi

fmt: tools frontend/node_modules/.package-lock.json ## Format every file
	cargo fmt --all
	cd frontend && npm run --silent fmt

types: $(website) ## Regenerate the TypeScript types of the API
	FESTIVAL_TEST_RENEW=1 cargo test -p festival-tests --test it types

fuzz: tools program ## Send 200,000 malformed requests to the running program, requests that its OpenAPI description allows and forbids, and random values to each parser; MINUTES=10 for each
	node tests/fuzz/requests.mjs
	tests/fuzz/openapi.sh $(MINUTES)
	tests/fuzz/properties.sh $(MINUTES)

faults: tools program ## Kill, fill and flood the running program; FILES=folder sends its hostile files, too
	@for script in fsync wrong-database clock kill letters restore postgres two-processes full-disk flood drip; do echo; echo "== $$script"; node tests/faults/$$script.mjs || exit 1; done
	$(if $(FILES),node tests/faults/hostile.mjs --folder $(FILES))

lists: tools program ## Open every exported list in LibreOffice and Gnumeric, the programme in ConfClerk, and compare; check its structured data
	node tests/lists/office.mjs
	node tests/lists/apps.mjs
	node tests/lists/structured.mjs

cluster: tools program s3-server ## Kill and stop each part of a site on two instances, Postgres, a bucket and nginx; MINUTES=2
	node tests/faults/cluster.mjs
	node tests/faults/upgrade.mjs

soak: tools program ## Simulate a deadline night for half an hour; MINUTES=3 for a short one
	node tests/faults/soak.mjs

bench: build tests/e2e/node_modules/.package-lock.json ## Measure the release build on this machine
	$(postgres) node tests/bench/bench.mjs

lighthouse: build ## Run Lighthouse (mobile, median of five) on every route of the release build
	@cd tests/lighthouse && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci; } && npm start --silent

handbook: tools $(website) program tests/e2e/node_modules/.package-lock.json ## Retake the pictures of the organisers' handbook
	cd tests/e2e && FESTIVAL_SHOTS=1 npx playwright test --project=shots handbook

frontend: tools $(website) ## Build the website

e2e: tools $(website) program tests/e2e/node_modules/.package-lock.json ## The tests in a real browser
	cd tests/e2e && $(in_memory) npm test

browsers: tools $(website) program tests/e2e/node_modules/.package-lock.json ## The site in Firefox and WebKit
	cd tests/e2e && FESTIVAL_BROWSERS=1 $(in_memory) npx playwright test --project=firefox --project=webkit

tools:
	@command -v cargo >/dev/null || { echo "Rust is missing. Install it from https://rustup.rs, then run make again." >&2; exit 1; }
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || major == 20 && minor >= 19 ? 0 : 1)' 2>/dev/null || \
		{ echo "Node.js 20.19 or newer is missing. Install it from https://nodejs.org or your system's packages, then run make again." >&2; exit 1; }

program: $(website)
	cargo build --workspace --bins

check-style:
	cargo fmt --all --check
	cargo fmt --check --manifest-path tests/s3-server/Cargo.toml

check-rust: $(website)
	cargo clippy --workspace --all-targets -- -D warnings

check-audit:
	@cli/scripts/audit.sh --if-possible

check-frontend: frontend/node_modules/.package-lock.json
	cd frontend && npm run --silent typecheck && npm run --silent lint

# In parallel: towards its end a compilation builds one crate after the other and leaves other cores idle.
prepared:
	@$(MAKE) -j4 test-programs s3-server deploy-tools check-frontend check-audit test-frontend

test-programs: program
	cargo test --workspace --all-targets --no-run --quiet

s3-server:
	cargo build --quiet --locked --manifest-path tests/s3-server/Cargo.toml --target-dir target/s3-server

deploy-tools:
	@tests/support/deploy-tools.sh

test-rust: program s3-server deploy-tools
	@# Two tests per core: they wait for disks, processes and timers.
	RUST_TEST_THREADS=$$((2 * $$(getconf _NPROCESSORS_ONLN))) $(in_memory) $(postgres) cargo test --workspace --all-targets --quiet --no-fail-fast

test-frontend: frontend/node_modules/.package-lock.json
	cd frontend && npm run --silent unit

test-deploy: program s3-server tests/e2e/node_modules/.package-lock.json
	@FESTIVAL_TEST_PROGRAM=$(abspath $(festival)) $(in_memory) node --test --test-concurrency=3 --test-timeout=300000 --test-reporter=spec tests/deploy/*.test.mjs

frontend/node_modules/.package-lock.json tests/e2e/node_modules/.package-lock.json: %/node_modules/.package-lock.json: %/package-lock.json
	cd $* && npm ci
	@touch $@

$(website): frontend/node_modules/.package-lock.json $(website_sources)
	cd frontend && npm run build
	@mkdir -p $(stamps) && touch $@
