// x-io Fusion: its defaults, and the setting that was best on the development trials.
#include "peer.h"

#include "Fusion.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { defaults, best, algorithmCount };

typedef struct {
  FusionVector *gyr, *acc, *mag;
  FusionQuaternion *quaternions;
  size_t count;
  double period;
} Recording;

size_t peer_count(void) { return algorithmCount; }
const char *peer_name(size_t algorithm) {
  return algorithm == best ? "Fusion, gain 0.1, rejection, bias" : "Fusion, defaults";
}
size_t peer_bytes(size_t algorithm) {
  return sizeof(FusionAhrs) + (algorithm == best ? sizeof(FusionBias) : 0);
}
size_t peer_state_bytes(size_t algorithm) {
  const size_t bias = algorithm == best ? sizeof(FusionBias) - offsetof(FusionBias, timer) : 0;
  return sizeof(FusionAhrs) - offsetof(FusionAhrs, quaternion) + bias;
}
int peer_has_rest(size_t algorithm) {
  (void)algorithm;
  return 0;
}

static FusionVector *scaled(const double *values, size_t count, double scale) {
  FusionVector *vectors = calloc(count ? count : 1, sizeof(FusionVector));
  for (size_t i = 0; vectors && i < count; i++) {
    for (int k = 0; k < 3; k++) vectors[i].array[k] = (float)(values[3 * i + k] * scale);
  }
  return vectors;
}

void *peer_open(const double *gyr, const double *acc, const double *mag, size_t count, double period) {
  Recording *r = calloc(1, sizeof(Recording));
  if (!r) return NULL;
  r->gyr = scaled(gyr, count, 180 / 3.14159265358979323846);
  r->acc = scaled(acc, count, 1 / 9.80665);
  r->mag = scaled(mag, count, 1);
  r->quaternions = calloc(count ? count : 1, sizeof(FusionQuaternion));
  r->count = count;
  r->period = period;
  return r;
}

void peer_run(void *recording, size_t algorithm, int nine, int rest) {
  Recording *r = recording;
  (void)rest;
  FusionAhrs ahrs;
  FusionAhrsInitialise(&ahrs);
  FusionAhrsSettings settings = fusionAhrsDefaultSettings;
  settings.convention = FusionConventionEnu;
  settings.sampleRate = (float)(1 / r->period);
  FusionBias bias;
  FusionBiasInitialise(&bias);
  if (algorithm == best) {
    settings.gain = 0.1f;
    settings.gyroscopeRange = 2000;
    settings.accelerationRejection = 10;
    settings.magneticRejection = 10;
    settings.rejectionTimeout = 5;
    FusionBiasSettings biasSettings = fusionBiasDefaultSettings;
    biasSettings.sampleRate = settings.sampleRate;
    FusionBiasSetSettings(&bias, &biasSettings);
  }
  FusionAhrsSetSettings(&ahrs, &settings);
  for (size_t i = 0; i < r->count; i++) {
    const FusionVector rate = algorithm == best ? FusionBiasUpdate(&bias, r->gyr[i]) : r->gyr[i];
    if (nine) {
      FusionAhrsUpdate(&ahrs, rate, r->acc[i], r->mag[i]);
    } else {
      FusionAhrsUpdateNoMagnetometer(&ahrs, rate, r->acc[i]);
    }
    r->quaternions[i] = FusionAhrsGetQuaternion(&ahrs);
  }
}

void peer_quaternions(const void *recording, double *out) {
  const Recording *r = recording;
  for (size_t i = 0; i < r->count; i++) {
    for (int k = 0; k < 4; k++) out[4 * i + k] = r->quaternions[i].array[k];
  }
}

void peer_rest(const void *recording, uint8_t *out) { memset(out, 0, ((const Recording *)recording)->count); }

void peer_close(void *recording) {
  Recording *r = recording;
  free(r->gyr);
  free(r->acc);
  free(r->mag);
  free(r->quaternions);
  free(r);
}
