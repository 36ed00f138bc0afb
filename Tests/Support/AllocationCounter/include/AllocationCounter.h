// Counts heap allocations of the calling thread, for tests that promise there are none.
//
// The functions of the C library are replaced in the test's executable, so everything is seen: Swift's runtime, Foundation,
// C libraries. Linux with glibc only; with the address sanitizer, which does the same, nothing is counted.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Number of allocations, reallocations included, that this thread has asked for so far.
uint64_t allocationCount(void);

// False when allocations are not counted in this build.
bool allocationsAreCounted(void);
