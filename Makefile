# Every job is one local command; CI runs `make test`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
TWIN := python3 conformance/shims/python/shim.py
RUNS ?= 500
SEED ?= 1

.PHONY: test deps lint vectors unit judge deny bench long fmt coverage

test: deps lint vectors unit judge deny ## everything, as CI runs it

deps: ## installs what the tests need; fails by name on what is missing
	.ci/deps

fmt: ## formats the Rust code
	cargo fmt --all

lint: ## format and clippy, warnings denied
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

vectors: ## the data is what the cases make, is signed, and keeps the rules of the schema
	@cargo vectors verify || { echo 'The cases have changed: signing with the published development key.'; cargo vectors generate && cargo vectors sign --dev; }
	cargo vectors generate --check
	cargo vectors lint

unit: ## every Rust test
	cargo nextest run --workspace

judge: ## the reference, the twin, the faults, and the two against each other
	cargo conformance run
	cargo conformance run -- $(TWIN)
	cargo conformance kill
	cargo conformance diff --seed $(SEED) --runs $(RUNS) --histories 200 -- reference -- $(TWIN)

deny: ## licences, sources and bans of the dependencies
	cargo deny check licenses sources bans

bench: ## ratios against the raw primitives, in the same run
	cargo bench --workspace

long: ## the long differential run
	cargo conformance diff --seed $(SEED) --runs 20000 --histories 10000 -- reference -- $(TWIN)

coverage: ## writes docs/coverage.md anew
	cargo tidy coverage
