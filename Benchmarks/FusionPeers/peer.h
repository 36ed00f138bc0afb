// The interface through which fusion-bench runs another attitude filter, as a shared library that it opens at run time.
//
// The sources of the peers come from PyPI when the benchmark runs and are never committed; these adapters are ours.
#ifndef FUSION_PEER_H
#define FUSION_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PEER_API extern "C" __attribute__((visibility("default")))
#else
#define PEER_API __attribute__((visibility("default")))
#endif

/// Number of algorithms (or settings of one) in this library.
PEER_API size_t peer_count(void);
/// What the tables call an algorithm.
PEER_API const char *peer_name(size_t algorithm);
/// Bytes that a program keeps for one filter; 0 when it is no filter but needs the whole recording.
PEER_API size_t peer_bytes(size_t algorithm);
/// Of them those that change from sample to sample; the others are parameters and coefficients.
PEER_API size_t peer_state_bytes(size_t algorithm);
/// True when the algorithm tells rest from movement.
PEER_API int peer_has_rest(size_t algorithm);

/// Takes a recording in, converted to the type and the units that the peer works in: that is not timed.
///
/// gyr in rad/s, acc in m/s², mag in µT, count rows of three each; period in seconds.
PEER_API void *peer_open(const double *gyr, const double *acc, const double *mag, size_t count, double period);
/// Runs one fresh filter over the whole recording and keeps a quaternion for every sample: this is timed.
///
/// nine: with the magnetometer. rest: also keep the rest flag.
PEER_API void peer_run(void *recording, size_t algorithm, int nine, int rest);
/// The quaternions of the last run, sensor to ENU, scalar first, four per sample.
PEER_API void peer_quaternions(const void *recording, double *out);
/// The rest flags of the last run that was asked for them.
PEER_API void peer_rest(const void *recording, uint8_t *out);
PEER_API void peer_close(void *recording);

#endif
