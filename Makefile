# Every target sets itself up: a fresh clone needs Node >= 20.19, npm, make and bash. What needs more
# (conformance: Go; install, deploy and what undoes them: kubectl; docker-build: Docker) says so when it is missing.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
BIN := node_modules/.bin

# npm writes this file last, so it is as old as the last complete installation.
INSTALLED := node_modules/.package-lock.json

.PHONY: help
help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(INSTALLED): package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: demo
demo: build ## See the operator make a cluster of simulated machines; ends with Ctrl-C. ARGS="--workers 5" adds flags
	@bin/talos-operator demo $(ARGS)

.PHONY: test
test: check build ## Run every check and every test that needs no other program
	$(BIN)/vitest run --project unit

.PHONY: check
check: $(INSTALLED) ## Check generated files, format, lint, types, architecture, docs and dead code
	@$(MAKE) --no-print-directory --jobs 2 $(UNMIXED) $(CHECKS)

# What two of them print at once is kept apart, where make can: macOS has one that cannot.
UNMIXED := $(if $(filter output-sync,$(.FEATURES)),--output-sync)
# The longest first: two at a time are then done soonest.
CHECKS := check-types check-repository check-code check-use
.PHONY: $(CHECKS)
check-types: $(INSTALLED)
	$(BIN)/tsc --incremental --tsBuildInfoFile node_modules/.cache/tsc.tsbuildinfo
check-repository: $(INSTALLED)
	$(BIN)/vitest run --project repo
check-code: $(INSTALLED)
	$(BIN)/biome ci --error-on-warnings
check-use: $(INSTALLED)
	$(BIN)/knip

.PHONY: conformance
conformance: build ## Run the suites against the real programs, built with Go on first use
	$(BIN)/tsx test/conformance/programs/build.ts etcd kube-apiserver kubectl
	$(BIN)/tsx test/conformance/programs/build.ts --available
	$(BIN)/vitest run --project conformance

.PHONY: generate
generate: $(INSTALLED) ## Write CRDs, charts, schemas and reference pages from the code
	$(BIN)/tsx scripts/generate.ts
	$(BIN)/tsx test/conformance/apiserver/builtin-table.ts
	$(BIN)/tsx test/conformance/apiserver/protobuf-table.ts
	$(BIN)/tsx test/conformance/machineconfig/shapes-table.ts

.PHONY: manifests
manifests: generate ## The same as generate, under the name that operator developers expect

.PHONY: build
build: $(INSTALLED) ## Bundle the program into dist/
	$(BIN)/tsx scripts/build.ts

.PHONY: sbom
sbom: $(INSTALLED) ## Write what the shipped program consists of into dist/, as CycloneDX
	@$(BIN)/tsx scripts/sbom.ts

.PHONY: run
run: $(INSTALLED) ## Run the operator against the cluster that kubectl points at; ARGS="--log-format json" adds flags
	@bin/talos-operator run --log-format text $(ARGS)

.PHONY: bench
bench: build ## Measure what has a budget; ONLY=name measures one
	$(BIN)/tsx test/bench/main.ts

.PHONY: install
install: $(INSTALLED) ## Install the CRDs into the cluster that kubectl points at
	@FORCE=$(FORCE) $(BIN)/tsx scripts/cluster.ts install

.PHONY: uninstall
uninstall: $(INSTALLED) ## Remove the CRDs; refuses while objects of ours exist
	@$(BIN)/tsx scripts/cluster.ts uninstall

# Empty: the image that config/manager names.
IMG ?=

.PHONY: deploy
deploy: $(INSTALLED) ## Install CRDs and operator into the cluster that kubectl points at; IMG=<image> for another image
	@FORCE=$(FORCE) IMG=$(IMG) $(BIN)/tsx scripts/cluster.ts deploy

.PHONY: undeploy
undeploy: $(INSTALLED) ## Remove the operator; CRDs, its namespace and all objects stay
	@$(BIN)/tsx scripts/cluster.ts undeploy

.PHONY: docker-build
docker-build: $(INSTALLED) ## Build the image; IMG=<image>, PLATFORM=linux/arm64, CONTAINER_TOOL=podman for another one
	@IMG=$(IMG) PLATFORM=$(PLATFORM) CONTAINER_TOOL=$(CONTAINER_TOOL) $(BIN)/tsx scripts/docker-build.ts

.PHONY: fix
fix: $(INSTALLED) generate ## Regenerate, format, and fix what the linter can
	$(BIN)/biome check --write
