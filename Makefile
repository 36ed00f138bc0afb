# Targets are documented by the text after ##; `make help` prints them.

SHELL := /bin/bash
# Tests need the lines of a trace and no more: it makes a build a tenth shorter. A module compiled as a whole is read once and not
# once for each share of its files: a fifth. (The package manager wants a file of code for each source: hence the threads.) Nor is
# it read once more for its interface: a tenth; nobody needs an index (Tests/XCTMain.swift): a sixth.
DEBUGGING := --disable-index-store -Xswiftc -gline-tables-only -Xswiftc -whole-module-optimization -Xswiftc -num-threads \
  -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo \
  --explicit-target-dependency-import-check error
# While working: as DEBUGGING, but a module is compiled file by file, so that of a changed one only what needs it is; in a folder of its
# own, as other flags would build all of `make build` anew.
QUICK := --scratch-path .build/quick --disable-index-store -Xswiftc -gline-tables-only --explicit-target-dependency-import-check error
empty :=
space := $(empty) $(empty)
# What `make demo` gives to `leash replay`.
DEMO_ARGS ?= fixtures/rides/ardennes_edge1000_gnss.csv.gz --simulate-inertial --simulate-scene thief --modem http
FUZZ_SECONDS ?= 60
SOAK_RUNS ?= 20000
GEOMETRY_COUNT ?= 100000
FENCE_SEEDS ?= 100
# Swift's own libraries are linked into the command, so that it runs where no Swift is installed.
RELEASE := -c release -Xswiftc -cross-module-optimization --static-swift-stdlib --explicit-target-dependency-import-check error

.DEFAULT_GOAL := help
# Where `make install` puts things; with a DESTDIR it writes files only, as for a package.
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR ?=
.PHONY: help install-deps build quick build-times release install uninstall test test-servers demo docs lint format page gate firmware firmware-check firmware-live firmware-day firmware-watchdog firmware-update firmware-bench wasm paths bench bench-counts bench-board bench-fusion fuzz soak round-trips modem-tables scenes odometer trips reality delays scenes-sensitivity requirements mutants geometry fences glides rest activity clean

help: ## This list.
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

install-deps: ## Install the Debian packages that are missing.
	@scripts/setup-debian.sh

# Optimised where tests spend their time: half of it is saved, and a build takes a twentieth longer.
build: install-deps ## Build everything for debugging, tests included.
	LEASH_OPTIMIZED=1 swift build --build-tests $(DEBUGGING)

quick: ## Build and run some tests and what they need, quickly: make quick TESTS="NMEATests TelemetryTests".
	@[ -n "$(TESTS)" ] || { echo 'make quick: which tests? As in: make quick TESTS="NMEATests TelemetryTests"' >&2; exit 2; }
	LEASH_TESTS="$(TESTS)" swift build --build-tests $(QUICK)
	@NO_COLOR=1 .build/quick/debug/LeashPackageTests.xctest --testing-library swift-testing \
	  --filter '^($(subst $(space),|,$(strip $(TESTS))))\.' </dev/null

build-times: ## Measure how long a changed file of the core takes until its tests have run (BUILD_TIMES_ARGS).
	@scripts/build-times.py $(BUILD_TIMES_ARGS)

release: install-deps ## Build the command leash, optimised: .build/release/leash.
	swift build $(RELEASE) --product leash

install: ## Install leash, its service, an example configuration and udev rules (PREFIX, SYSCONFDIR, DESTDIR).
	@[ -x .build/release/leash ] || $(MAKE) release
	@PREFIX=$(PREFIX) SYSCONFDIR=$(SYSCONFDIR) DESTDIR=$(DESTDIR) packaging/install.sh install

uninstall: ## Remove what install put there; configuration, state and recordings stay.
	@PREFIX=$(PREFIX) SYSCONFDIR=$(SYSCONFDIR) DESTDIR=$(DESTDIR) packaging/install.sh uninstall

test: ## Set up, build, check the format, test, build and run the firmware image.
	@scripts/test.sh

test-servers: release ## Try leash run with a real Home Assistant and a cluster of brokers (SERVERS_ARGS; some minutes, needs PyPI).
	@scripts/test-servers.sh $(SERVERS_ARGS)

demo: release ## Replay a recorded ride through the tracker, and its packets through the modem driver to a receiver.
	@.build/release/leash replay $(DEMO_ARGS)

lint: ## Check the format of all Swift files.
	@swift format lint --strict --parallel --recursive $(wildcard Package.swift Sources Tests Firmware Benchmarks/Package.swift \
	  Benchmarks/Sources Fuzz/Sources Fuzz/Support)

page: ## Check types, rules, format and tests of the page's files (PAGE_ARGS=--fix fixes the format).
	@scripts/page.sh $(PAGE_ARGS)

docs: install-deps ## Update stale figures in docs (DOCS_ARGS: pages, --all or --check).
	@scripts/docs.py $(DOCS_ARGS)

format: ## Format all Swift files.
	@swift format --in-place --parallel --recursive $(wildcard Package.swift Sources Tests Firmware Benchmarks/Package.swift \
	  Benchmarks/Sources Fuzz/Sources Fuzz/Support)

gate: install-deps ## Compile the core for Cortex-M4F, link it without an allocator, run it under emulation.
	@Firmware/gate.sh

BOARD ?= mps2-an386
IMAGE ?= replay
firmware: install-deps ## Build an image for a board: make firmware BOARD=stm32f405 IMAGE=live.
	@Firmware/build.sh $(BOARD) $(IMAGE)

firmware-check: build ## Replay recordings in the images of all boards, under emulation; compare every byte (FIRMWARE_ARGS).
	@Firmware/check.sh $(FIRMWARE_ARGS)

wasm: ## Build the replay as a module of WebAssembly, and the page that replays dropped logs with it: docs/replay.html.
	@Firmware/wasm.sh --page docs/replay.html

firmware-live: build ## Run the live image with a simulated modem and a server, and repeat its run on this machine (BOARD).
	@Firmware/live.py $(BOARD)

firmware-day: build ## Let the live image live a day of emulated time, with faults of modem and server; takes hours (DAY_ARGS).
	@Firmware/day.py $(DAY_ARGS)

firmware-update: build ## Start signed images from two slots, good ones and such as must not start, under emulation.
	@Firmware/update.py

firmware-watchdog: build ## Let the live image hang and crash in each part of its loop, under emulation (BOARD).
	@Firmware/watchdog.py $(BOARD)

firmware-bench: build ## Talk to the console of the live image by leash bench-board, under emulation (BOARD).
	@Firmware/bench.py $(BOARD)

bench: install-deps release ## Measure, against C in the same process, and count instructions and allocations.
	@Benchmarks/run.sh

bench-counts: install-deps ## Measure instructions, sizes and stack, and update docs/costs.md (Firmware/costs.json).
	@Benchmarks/counts.sh
	@scripts/docs.py --made docs/costs.md 'make bench-counts'

bench-world: release ## Measure how fast, and in how much memory, whole lives are simulated (WORLD_ARGS: --instructions, --memory).
	@Benchmarks/world.py .build/release/leash $(WORLD_ARGS)

bench-fusion: ## Compare the attitude filters with VQF and Fusion from PyPI: accuracy, time, memory, faults (FUSION_ARGS).
	@Benchmarks/fusion.sh $(FUSION_ARGS)

bench-board: release ## Measure leash run: latency of an alert, processor, memory, start (about 7 minutes).
	@Benchmarks/board.sh .build/release/leash

fuzz: ## Fuzz the byte parsers for FUZZ_SECONDS (60) in all.
	@Fuzz/run.sh $(FUZZ_SECONDS)

ROUND_TRIPS ?= 100000
round-trips: ## Send ROUND_TRIPS (100,000) random packets through each form and back.
	LEASH_TESTS=PacketFormsTests swift build -c release --build-tests -Xswiftc -enable-testing \
	  --scratch-path .build/round-trips --disable-index-store
	@NO_COLOR=1 LEASH_ROUND_TRIPS=$(ROUND_TRIPS) .build/round-trips/release/LeashPackageTests.xctest \
	  --testing-library swift-testing --filter '^PacketFormsTests.RoundTripTests' </dev/null

requirements: ## Check what users asked for against sources and tests, and write docs/requirements.md.
	@scripts/requirements.py

mutants: install-deps ## Put small faults into a copy of the sources, one at a time, and see which no test notices (MUTANTS_ARGS).
	@scripts/mutants.py $(MUTANTS_ARGS)

soak: release ## Stress the modem driver with SOAK_RUNS (20000) seeded faults.
	@.build/release/leash modem soak --runs $(SOAK_RUNS) $(SOAK_ARGS)

modem-tables: release ## Update the measured tables in docs/modem.md (SOAK_RUNS).
	@scripts/modem-tables.sh .build/release/leash docs/modem.md $(SOAK_RUNS)
	@scripts/docs.py --made docs/modem.md 'make modem-tables'

scenes: release ## Run all scenes and update the table in docs/evaluation.md; fails if a scene fails.
	@scripts/scenes-table.sh .build/release/leash docs/evaluation.md

odometer: release ## Compare the odometer with recorded rides and update the table in docs/odometer.md; fails if one does not hold.
	@scripts/odometer-table.sh .build/release/leash docs/odometer.md

trips: release ## Compare the rides that are found in recordings with those of their devices, and update the table in docs/trips.md.
	@scripts/trips-table.py .build/release/leash docs/trips.md
	@scripts/docs.py --made docs/trips.md 'make trips'

reality: release ## Compare simulated motions with recordings, and update families, table and picture of docs/simulation.md.
	@scripts/reality-table.sh .build/release/leash docs/simulation.md
	@scripts/docs.py --made docs/simulation.md 'make reality'

delays: release ## Measure from a theft to the server, by idle state and network, and update the table of docs/simulation.md.
	@scripts/delay-table.sh .build/release/leash docs/simulation.md
	@scripts/docs.py --made docs/simulation.md 'make delays'

sleep-table: release ## Live all scenarios awake and asleep, and update the table of what differs in docs/simulation.md.
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && scripts/sleep-table.py .build/release/leash > "$$work/asleep" \
	  && scripts/put-marked.sh docs/simulation.md "$$work"

battery-table: release ## Live thirty days of each profile, and update the tables of docs/simulation.md about a battery of 2,600 mAh.
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && scripts/battery-table.py .build/release/leash "$$work" \
	  && scripts/put-marked.sh docs/simulation.md "$$work"
	@scripts/docs.py --made docs/simulation.md 'make battery-table'

YEARS ?= 10
YEAR_SEED ?= 1
LEDGER ?= .build/device-years.jsonl
device-years: release ## Live YEARS (10) years of a tracker that sleeps at night, from seed YEAR_SEED (1) on, and tell how they were spent (LEDGER).
	@.build/release/leash simulate --days 365 --calm --set sensing.sleep=true --seed $(YEAR_SEED) --runs $(YEARS) --ledger $(LEDGER) --broken-log none; \
	  code=$$?; .build/release/leash simulate --ledger $(LEDGER) --table; exit $$code

scenes-sensitivity: ## Change each detector setting by ±20 % and record which scenes change (hours).
	@scripts/scenes-sensitivity.py $(SENSITIVITY_ARGS)

geometry: ## Compare regions with GEOS and S2 on GEOMETRY_COUNT (100000) random outlines.
	@scripts/geometry.sh $(GEOMETRY_COUNT)

paths: ## Make paths of all recorded rides: distances by GeographicLib, points beside those of Douglas and Peucker.
	@scripts/paths.sh

fences: ## Simulate a resting pet for seven days, FENCE_SEEDS (100) times, and report how late exits are detected.
	@LEASH_TESTS=RulesTests LEASH_FENCE_SEEDS=$(FENCE_SEEDS) swift test -c release --scratch-path .build/fences --filter FenceCampaignTests

glides: ## Report how late exits are detected that an inertial sensor does not feel.
	@LEASH_TESTS=RulesTests LEASH_GLIDE_SEEDS=$(FENCE_SEEDS) swift test -c release --scratch-path .build/fences --filter FenceGlideTests

rest: ## Measure how well rest is found on recorded trials and in hours of noise.
	@LEASH_TESTS=InertialFusionTests LEASH_REST=$(abspath .build/rest.md) swift test -c release --scratch-path .build/rest \
	  --filter restOverAllTrialsAndHoursOfNoise >&2
	@cat .build/rest.md

activity: ## Count the steps of a model of gait, and what a collar would count in recorded vehicles.
	@LEASH_TESTS=ActivityTests LEASH_ACTIVITY=$(abspath .build/activity.md) swift test -c release --scratch-path .build/activity \
	  --filter stepsOfModelsAndOfRecordedVehicles >&2
	@cat .build/activity.md

clean: ## Remove everything that was built.
	rm -rf .build Benchmarks/.build Fuzz/.build
