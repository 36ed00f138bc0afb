// VQF, BasicVQF and offlineVQF through their C++ batch interface; in single precision with -DVQF_SINGLE_PRECISION.
#include "peer.h"

#include "basicvqf.hpp"
#include "offline_vqf.hpp"
#include "vqf.hpp"

#include <memory>
#include <vector>

namespace {

enum Algorithm : size_t { full, slowMagnetometer, wideBias, basic, offline, algorithmCount };

#ifdef VQF_SINGLE_PRECISION
const char *const names[] = {"VQF float", "VQF float, tauMag 18 s", "VQF float, bias clip 25 °/s", "BasicVQF float", "offlineVQF float"};
#else
const char *const names[] = {"VQF", "VQF, tauMag 18 s", "VQF, bias clip 25 °/s", "BasicVQF", "offlineVQF"};
#endif

struct Recording {
  std::vector<vqf_real_t> gyr, acc, mag, quaternions;
  std::unique_ptr<bool[]> rest;
  size_t count;
  double period;
};

}  // namespace

size_t peer_count(void) { return algorithmCount; }
const char *peer_name(size_t algorithm) { return names[algorithm]; }
int peer_has_rest(size_t algorithm) { return algorithm != basic; }

size_t peer_bytes(size_t algorithm) {
  switch (algorithm) {
    case basic: return sizeof(BasicVQF);
    case offline: return 0;
    default: return sizeof(VQF);
  }
}

size_t peer_state_bytes(size_t algorithm) {
  switch (algorithm) {
    case basic: return sizeof(BasicVQFState);
    case offline: return 0;
    default: return sizeof(VQFState);
  }
}

void *peer_open(const double *gyr, const double *acc, const double *mag, size_t count, double period) {
  auto *r = new Recording;
  r->gyr.assign(gyr, gyr + 3 * count);
  r->acc.assign(acc, acc + 3 * count);
  r->mag.assign(mag, mag + 3 * count);
  r->quaternions.resize(4 * count);
  r->rest = std::make_unique<bool[]>(count);
  r->count = count;
  r->period = period;
  return r;
}

void peer_run(void *recording, size_t algorithm, int nine, int rest) {
  auto *r = static_cast<Recording *>(recording);
  const vqf_real_t *mag = nine ? r->mag.data() : nullptr;
  vqf_real_t *six = nine ? nullptr : r->quaternions.data();
  vqf_real_t *all = nine ? r->quaternions.data() : nullptr;
  bool *flags = rest ? r->rest.get() : nullptr;
  const vqf_real_t period = static_cast<vqf_real_t>(r->period);
  if (algorithm == basic) {
    BasicVQF filter(period);
    filter.updateBatch(r->gyr.data(), r->acc.data(), mag, r->count, six, all, nullptr);
    return;
  }
  VQFParams parameters;
  if (algorithm == slowMagnetometer) parameters.tauMag = 18;
  if (algorithm == wideBias) parameters.biasClip = 25;
  if (algorithm == offline) {
    offlineVQF(
      r->gyr.data(), r->acc.data(), mag, r->count, period, parameters, six, all, nullptr, nullptr, nullptr, flags,
      nullptr);
    return;
  }
  VQF filter(parameters, period);
  filter.updateBatch(
    r->gyr.data(), r->acc.data(), mag, r->count, six, all, nullptr, nullptr, nullptr, flags, nullptr);
}

void peer_quaternions(const void *recording, double *out) {
  const auto *r = static_cast<const Recording *>(recording);
  for (size_t i = 0; i < r->quaternions.size(); i++) out[i] = r->quaternions[i];
}

void peer_rest(const void *recording, uint8_t *out) {
  const auto *r = static_cast<const Recording *>(recording);
  for (size_t i = 0; i < r->count; i++) out[i] = r->rest[i];
}

void peer_close(void *recording) { delete static_cast<Recording *>(recording); }
