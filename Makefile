# The commands for developers. `make` alone lists them.

# Without LIBRARY, the program uses its default: $CALOTYPE_LIBRARY, else a library in the pictures
# folder.
export PHOTOS LIBRARY
DEMO_LIBRARY ?= $(CURDIR)/.build/Demo.calotype
PORT ?= 2839
PAGES_PORT ?= 8000
CALOTYPE = .build/release/calotype

.PHONY: help setup build run demo examples test screens soak fuzz tsan lint bench

help:
	@echo "make run PHOTOS=~/Pictures   import a folder into the library (LIBRARY=…) and serve it"
	@echo "make run                     serve the library as it is"
	@echo "make demo                    make a library of sample media and serve it"
	@echo "make examples                serve the sample media, and pages of another origin (PAGES_PORT=8000)"
	@echo "make test                    run every test; FILTER=Name runs the Swift tests whose names match"
	@echo "make screens                 draw the web app's screens, to look at them"
	@echo "make soak                    run the long tests in full; SEED=N repeats a run"
	@echo "make fuzz                    decode 20,000 damaged files of each format in the workers"
	@echo "make tsan                    run the library's tests under Thread Sanitizer"
	@echo "make lint                    check the style of the sources"
	@echo "make bench                   measure against other programs"
	@echo "make setup                   install the system libraries that are missing"

setup:
	@scripts/setup

# Links Swift's libraries statically. The programs start in a quarter less time, and run without an
# installation of Swift.
RELEASE = swift build -c release --static-swift-stdlib -Xlinker -s

build: setup
	$(RELEASE) --product calotype
	$(RELEASE) --product calotype-worker

run: build
	@scripts/run $(CALOTYPE) $(PORT)

demo: build
	@$(CALOTYPE) --library "$(DEMO_LIBRARY)" demo --create
	@$(CALOTYPE) --library "$(DEMO_LIBRARY)" serve --port $(PORT)

examples: build
	$(RELEASE) --product PickPhotos
	@$(CALOTYPE) --library "$(DEMO_LIBRARY)" demo --create
	@scripts/examples $(CALOTYPE) "$(DEMO_LIBRARY)" $(PORT) $(PAGES_PORT)

test:
	@scripts/setup --tests
	@scripts/run-tests "$(FILTER)"

# Draws every screen of the web app in light and dark, on a desktop and a phone.
screens:
	@scripts/setup --tests
	@CALOTYPE_BIN=.build/debug/calotype scripts/build-tests .build/venv/bin/python Tests/WebTests/screens.py

# Runs the long tests in full, of which `make test` runs a few cases.
soak:
	@scripts/setup --tests
	@scripts/run-tests --soak $(SEED)

# Decodes FUZZ_FILES damaged files of each format, from number FUZZ_FIRST on.
# `CALOTYPE_FUZZ_FORMATS=png,gif` selects formats.
FUZZ_FILES ?= 20000
FUZZ_FIRST ?= 0
fuzz:
	@scripts/setup --tests
	CALOTYPE_FUZZ_FILES=$(FUZZ_FILES) CALOTYPE_FUZZ_FIRST=$(FUZZ_FIRST) CALOTYPE_FUZZ_FOLDER=$(CURDIR)/.build/fuzz \
	  scripts/build-tests .build/debug/calotypePackageTests.xctest --testing-library swift-testing \
	  --no-parallel --filter FuzzTests

tsan:
	@scripts/setup --tests
	TSAN_OPTIONS=suppressions=scripts/tsan-suppressions \
	  swift test --sanitize=thread --scratch-path .build/tsan --no-parallel --filter "LibraryStoreTests|PhotosTests"

lint:
	@scripts/lint

bench: build
	$(RELEASE) --product library-benchmark
	$(RELEASE) --product edit-benchmark
	$(RELEASE) --product rendition-benchmark
	$(RELEASE) --product worker-benchmark
	$(RELEASE) --product request-benchmark
	@scripts/setup --bench
	@Benchmarks/run
