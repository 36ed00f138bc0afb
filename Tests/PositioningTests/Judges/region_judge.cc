// Random outlines and places, and what GEOS and S2 make of them: a line each, for RegionJudgeTests.
//
//   region_judge COUNT SEED
//
// GEOS is asked in a gnomonic plane of its own, made here in long double about a corner of the outline; S2 on the sphere.
// A line: rings `R n lat lon …`, `V geos s2` (1 valid, 0 not, - not asked), places `P lat lon geos s2 nearestLat nearestLon`,
// all in nanodegrees. Where GEOS is not asked for a place is `-`; a place on an edge to a hundredth of a millimetre is left out.
#include <geos_c.h>
#include <s2/s2builder.h>
#include <s2/s2debug.h>
#include <s2/s2edge_distances.h>
#include <s2/s2latlng.h>
#include <s2/s2loop.h>
#include <s2/s2polygon.h>

#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

static void silent(const char *, ...) {}

static std::mt19937_64 source;
static double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(source); }
static int below(int bound) { return int(source() % uint64_t(bound)); }

struct Place {
  int64_t lat, lon;
  S2Point point() const { return S2LatLng::FromDegrees(lat * 1e-9, lon * 1e-9).ToPoint(); }
};

static Place placeOf(const S2Point &p) {
  S2LatLng l(p);
  return {llround(l.lat().degrees() * 1e9), llround(l.lng().degrees() * 1e9)};
}

// The place at an azimuth and an angle from another, on the sphere.
static S2Point moved(const S2Point &from, double azimuth, double angle) {
  S2Point east = S2Point(0, 0, 1).CrossProd(from);
  if (east.Norm2() < 1e-20) east = S2Point(0, 1, 0);
  east = east.Normalize();
  S2Point north = from.CrossProd(east);
  S2Point direction = east * sin(azimuth) + north * cos(azimuth);
  return (from * cos(angle) + direction * sin(angle)).Normalize();
}

struct Plane {
  long double sine, cosine, lambda;
  explicit Plane(const Place &p) {
    sine = sinl(p.lat * (M_PIl / 180e9L));
    cosine = cosl(p.lat * (M_PIl / 180e9L));
    lambda = p.lon * (M_PIl / 180e9L);
  }
  bool map(const Place &p, double *x, double *y) const {
    long double phi = p.lat * (M_PIl / 180e9L), d = p.lon * (M_PIl / 180e9L) - lambda;
    long double c = sine * sinl(phi) + cosine * cosl(phi) * cosl(d);
    if (c < 0.03L) return false;
    *x = double(cosl(phi) * sinl(d) / c);
    *y = double((cosine * sinl(phi) - sine * cosl(phi) * cosl(d)) / c);
    return true;
  }
};

using Ring = std::vector<Place>;

static GEOSGeometry *ringOf(const Ring &ring, const Plane &plane) {
  GEOSCoordSequence *row = GEOSCoordSeq_create(ring.size() + 1, 2);
  for (size_t i = 0; i <= ring.size(); i++) {
    double x = 0, y = 0;
    plane.map(ring[i % ring.size()], &x, &y);
    GEOSCoordSeq_setXY(row, i, x, y);
  }
  return GEOSGeom_createLinearRing(row);
}

static std::unique_ptr<S2Loop> loopOf(const Ring &ring) {
  std::vector<S2Point> points;
  for (const Place &p : ring) points.push_back(p.point());
  auto loop = std::make_unique<S2Loop>();
  loop->set_s2debug_override(S2Debug::DISABLE);
  loop->Init(points);
  return loop;
}

static S2Point middle() {
  switch (below(6)) {
    case 0: return moved(S2Point(0, 0, below(2) ? 1 : -1), uniform(0, 2 * M_PI), pow(10, uniform(-6, -0.5)));
    case 1: return S2LatLng::FromDegrees(uniform(-85, 85), 180 - pow(10, uniform(-5, 0)) * (below(2) ? 1 : -1))
        .Normalized().ToPoint();
    default: return S2LatLng::FromRadians(asin(uniform(-1, 1)), uniform(-M_PI, M_PI)).ToPoint();
  }
}

// A star about a middle: no two edges cross, unless corners are exchanged.
static Ring star(const S2Point &about, double size, int corners, double least) {
  std::vector<double> azimuths;
  double start = uniform(0, 2 * M_PI);
  for (int i = 0; i < corners; i++) azimuths.push_back(start + 2 * M_PI * (i + uniform(0.05, 0.95)) / corners);
  Ring ring;
  for (double azimuth : azimuths) ring.push_back(placeOf(moved(about, azimuth, size * uniform(least, 1))));
  return ring;
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 100;
  source.seed(argc > 2 ? strtoull(argv[2], nullptr, 10) : 1);
  initGEOS(silent, silent);
  for (long number = 0; number < count; number++) {
    S2Point about = middle();
    // From 10 m to 3,000 km.
    double size = pow(10, uniform(-5.8, -0.33));
    int corners = below(8) == 0 ? 3 + below(98) : 3 + below(8);
    std::vector<Ring> rings{star(about, size, corners, 0.3)};
    int kind = below(8);
    if (kind == 0) {  // any order: crossing as a rule
      for (size_t i = corners - 1; i > 0; i--) std::swap(rings[0][i], rings[0][below(int(i) + 1)]);
    } else if (kind == 1) {  // two corners exchanged
      int i = below(corners);
      std::swap(rings[0][i], rings[0][(i + 1) % corners]);
    } else if (kind == 2) {  // a hole about the middle, which may be too large
      rings.push_back(star(about, size * 0.45, 3 + below(6), 0.1));
    } else if (kind == 3) {  // two holes, which may meet
      for (int i = 0; i < 2; i++)
        rings.push_back(star(moved(about, uniform(0, 2 * M_PI), size * 0.2), size * 0.15, 3 + below(4), 0.2));
    }
    Plane plane(rings[0][0]);
    bool isMapped = true;
    for (const Ring &ring : rings)
      for (const Place &p : ring) { double x, y; isMapped = isMapped && plane.map(p, &x, &y); }
    if (!isMapped) { number--; continue; }

    std::vector<GEOSGeometry *> holes;
    for (size_t i = 1; i < rings.size(); i++) holes.push_back(ringOf(rings[i], plane));
    GEOSGeometry *geos = GEOSGeom_createPolygon(ringOf(rings[0], plane), holes.data(), unsigned(holes.size()));
    bool isValid = GEOSisValid(geos) == 1;
    std::vector<std::unique_ptr<S2Loop>> loops;
    S2Error error;
    bool isSphereValid = true;
    for (const Ring &ring : rings) {
      auto loop = loopOf(ring);
      if (loop->FindValidationError(&error)) isSphereValid = false;
      loops.push_back(std::move(loop));
    }
    for (const Ring &ring : rings) {
      printf("R %zu", ring.size());
      for (const Place &p : ring) printf(" %ld %ld", long(p.lat), long(p.lon));
      putchar(' ');
    }
    S2Polygon polygon;
    polygon.set_s2debug_override(S2Debug::DISABLE);
    if (isSphereValid) {
      for (auto &loop : loops) loop->Normalize();
      std::vector<std::unique_ptr<S2Loop>> nested;
      for (auto &loop : loops) nested.emplace_back(loop->Clone());
      polygon.InitNested(std::move(nested));
      isSphereValid = !polygon.FindValidationError(&error);
    }
    printf("V %d %d", isValid ? 1 : 0, isSphereValid ? 1 : 0);
    if (isValid && isSphereValid) {
      const GEOSPreparedGeometry *prepared = GEOSPrepare(geos);
      for (int i = 0; i < 6; i++) {
        S2Point p;
        if (i < 3) p = moved(about, uniform(0, 2 * M_PI), size * 1.3 * sqrt(uniform(0, 1)));
        else {  // near an edge
          const Ring &ring = rings[below(int(rings.size()))];
          int k = below(int(ring.size()));
          double t = uniform(0, 1);
          S2Point q = (ring[k].point() * (1 - t) + ring[(k + 1) % ring.size()].point() * t).Normalize();
          p = moved(q, uniform(0, 2 * M_PI), size * pow(10, uniform(-6, -1)));
        }
        Place place = placeOf(p);
        p = place.point();
        S2Point nearest = polygon.ProjectToBoundary(p);
        if (S1Angle(p, nearest).radians() < 2e-12) continue;
        double x, y;
        char inPlane = '-';
        if (plane.map(place, &x, &y)) {
          GEOSGeometry *point = GEOSGeom_createPointFromXY(x, y);
          inPlane = GEOSPreparedContains(prepared, point) == 1 ? '1' : '0';
          GEOSGeom_destroy(point);
        }
        Place there = placeOf(nearest);
        printf(" P %ld %ld %c %d %ld %ld", long(place.lat), long(place.lon), inPlane, polygon.Contains(p) ? 1 : 0,
               long(there.lat), long(there.lon));
      }
      GEOSPreparedGeom_destroy(prepared);
    }
    putchar('\n');
    GEOSGeom_destroy(geos);
  }
  finishGEOS();
}
