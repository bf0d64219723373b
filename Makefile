# Two commands do everything on a fresh machine:
#   make run    sets up, builds, profiles this machine for lenet5, estimates, trains for real, compares
#   make test   sets up, builds, passes the tests
BUILD ?= build
JOBS ?= $(shell nproc)
# Many tests wait for something, so that two more than there are cores keep all of these busy.
TEST_JOBS ?= $(shell expr $(JOBS) + 2)

.PHONY: run test setup build bench package package-test arm64 sanitize sanitize-threads torture format clean

run: setup
	cmake --preset release -B $(BUILD)
	cmake --build $(BUILD) -j $(JOBS) --target ampere ampere-runner
	$(BUILD)/bin/ampere estimate lenet5 --auto --check --iterations 1000 --rig local

test: build
	ctest --test-dir $(BUILD) -j $(TEST_JOBS) --output-on-failure

setup:
	scripts/setup

build: setup
	cmake --preset release -B $(BUILD)
	cmake --build $(BUILD) -j $(JOBS)

bench:
	scripts/setup libbenchmark-dev python3-sklearn time wrk
	cmake --preset bench -B $(BUILD)-bench
	cmake --build $(BUILD)-bench -j $(JOBS)
	$(BUILD)-bench/bin/gp_bench
	/usr/bin/python3 bench/gp/compare_sklearn.py $(BUILD)-bench/bin/gp_fit_lines --repeats 7
	$(BUILD)-bench/bin/store_bench
	$(BUILD)-bench/bin/schedule_bench
	$(BUILD)-bench/bin/widths_bench
	bench/cli/run $(BUILD)-bench
	bench/serve/load $(BUILD)-bench transport
	$(BUILD)-bench/bin/meter_overhead modelled modelled:cpu=machine

# Debian packages of this build, in $(BUILD)/packages, and their test on a bare Debian 12 in a folder.
package: build
	scripts/setup dpkg-dev
	cmake --build $(BUILD) -j $(JOBS) --target packages

package-test: package
	scripts/setup mmdebstrap
	packaging/test-debs $(BUILD)/packages

# ampere and the runner without LibTorch for arm64, and tests of them under emulation.
arm64:
	scripts/arm64

# Some tests preload a clock that jumps, which then comes before the sanitizer. Leaks of libraries are listed with reasons.
sanitize: setup
	cmake --preset sanitize -B $(BUILD)-sanitize
	cmake --build $(BUILD)-sanitize -j $(JOBS)
	ASAN_OPTIONS=verify_asan_link_order=0 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leaks.supp:print_suppressions=0 \
	  ctest --test-dir $(BUILD)-sanitize -j $(JOBS) --output-on-failure

# Data races in what has threads.
THREADED = base_test meter_test measure_test widths_test prune_test gp_test dual_profile_test fleet_test serve_http_test serve_api_test
sanitize-threads: setup
	cmake --preset sanitize -B $(BUILD)-threads -DAMPERE_SANITIZE=thread
	cmake --build $(BUILD)-threads -j $(JOBS) --target $(THREADED)
	for each in $(THREADED); do $(BUILD)-threads/bin/$$each || exit 1; done

# Hundreds of kills; `make test` has a few (docs/reliability.md).
torture: build
	nice -n 19 tests/torture/torture.py --programs $(BUILD)/bin --kills 50 --seconds 600
	AMPERE_KILLS=20 nice -n 19 $(BUILD)/bin/fleet_slurm_test --gtest_filter='FleetKills.*'

format:
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf $(BUILD) $(BUILD)-bench $(BUILD)-sanitize build-arm64 build-arm64-sysroot
