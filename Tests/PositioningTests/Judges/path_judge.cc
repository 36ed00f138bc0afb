// How far rides lie from the paths that PathSimplifier made of them, and how many points Douglas and Peucker need: the table of
// docs/paths.md.
//
//   path_judge RIDES TOLD
//
// RIDES: `ride NAME`, then a line `LATITUDE LONGITUDE` for each fix, in degrees. TOLD: `ride NAME BOUND`, then a line with the number of
// each fix that is a point, from 0. Distances are those of GeographicLib from a fix to the line between the points before and after
// it, rounded to 1e-7 degree as in packets; the largest of three lines: the shortest one, a straight one of a map (Mercator), and one of
// latitude and longitude in proportion. Exits with 1 if a distance is not below its bound, or the points are more than 1.3 times those
// of Douglas and Peucker.
#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/GeodesicLine.hpp>
#include <GeographicLib/LocalCartesian.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using GeographicLib::Geodesic;
using GeographicLib::GeodesicLine;

struct Place {
  double lat, lon;
};
struct Ride {
  std::string name;
  std::vector<Place> fixes;
};

static const double degree = std::acos(-1.0) / 180;
static double inPacket(double degrees) { return std::round(degrees * 1e7) / 1e7; }
static double mercator(double lat) { return std::asinh(std::tan(lat * degree)); }

static double metres(Place a, double lat, double lon) {
  double result;
  Geodesic::WGS84().Inverse(a.lat, a.lon, lat, lon, result);
  return result;
}

// The smallest distance to a line whose places are at(0) to at(1); it falls and then rises.
template <typename Line> static double least(Place fix, Line at) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = 0, high = 1, first = 1 - ratio, second = ratio;
  double one = at(fix, first), two = at(fix, second);
  for (int i = 0; i < 30; ++i) {
    if (one < two) {
      high = second, second = first, two = one;
      first = high - ratio * (high - low), one = at(fix, first);
    } else {
      low = first, first = second, one = two;
      second = low + ratio * (high - low), two = at(fix, second);
    }
  }
  return std::min({one, two, at(fix, 0), at(fix, 1)});
}

static double farthest(const Ride &ride, size_t from, size_t to) {
  Place a = ride.fixes[from], b = ride.fixes[to];
  a = {inPacket(a.lat), inPacket(a.lon)}, b = {inPacket(b.lat), inPacket(b.lon)};
  const GeodesicLine line = Geodesic::WGS84().InverseLine(a.lat, a.lon, b.lat, b.lon);
  const double length = line.Distance();
  const double low = mercator(a.lat), high = mercator(b.lat);
  double result = 0;
  for (size_t i = from; i <= to; ++i) {
    const Place fix = ride.fixes[i];
    result = std::max(result, least(fix, [&](Place f, double t) {
      double lat, lon;
      line.Position(t * length, lat, lon);
      return metres(f, lat, lon);
    }));
    result = std::max(result, least(fix, [&](Place f, double t) {
      return metres(f, a.lat + t * (b.lat - a.lat), a.lon + t * (b.lon - a.lon));
    }));
    result = std::max(result, least(fix, [&](Place f, double t) {
      return metres(f, std::atan(std::sinh(low + t * (high - low))) / degree, a.lon + t * (b.lon - a.lon));
    }));
  }
  return result;
}

static double toSegment(const double *p, const double *a, const double *b) {
  const double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
  double t = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
  t = std::clamp(t, 0.0, 1.0);
  return std::hypot(p[0] - a[0] - t * x, p[1] - a[1] - t * y);
}

static size_t douglasPeucker(const Ride &ride, double bound) {
  const Place middle = ride.fixes[ride.fixes.size() / 2];
  const GeographicLib::LocalCartesian plane(middle.lat, middle.lon, 0);
  std::vector<double> places(2 * ride.fixes.size());
  for (size_t i = 0; i < ride.fixes.size(); ++i) {
    double up;
    plane.Forward(ride.fixes[i].lat, ride.fixes[i].lon, 0, places[2 * i], places[2 * i + 1], up);
  }
  size_t count = 2;
  std::vector<std::pair<size_t, size_t>> waiting = {{0, ride.fixes.size() - 1}};
  while (!waiting.empty()) {
    const auto [from, to] = waiting.back();
    waiting.pop_back();
    double most = bound;
    size_t place = 0;
    for (size_t i = from + 1; i < to; ++i) {
      const double distance = toSegment(&places[2 * i], &places[2 * from], &places[2 * to]);
      if (distance > most) most = distance, place = i;
    }
    if (!place) continue;
    ++count;
    waiting.push_back({from, place});
    waiting.push_back({place, to});
  }
  return count;
}

struct Row {
  size_t rides = 0, fixes = 0, ours = 0, theirs = 0;
  double distance = 0, ratio = 0;
  void add(size_t count, size_t told, size_t peer, double farthest) {
    ++rides, fixes += count, ours += told, theirs += peer;
    distance = std::max(distance, farthest);
    if (peer >= 20) ratio = std::max(ratio, double(told) / double(peer));
  }
};

int main(int count, char **words) {
  if (count != 3) return 2;
  std::map<std::string, size_t> places;
  std::vector<Ride> rides;
  std::string text;
  for (std::ifstream file(words[1]); std::getline(file, text);) {
    if (text.rfind("ride ", 0) == 0) {
      rides.push_back({text.substr(5), {}});
      places[rides.back().name] = rides.size() - 1;
    } else {
      Place place;
      std::istringstream(text) >> place.lat >> place.lon;
      rides.back().fixes.push_back(place);
    }
  }
  std::map<double, Row> halves[2];
  std::ifstream told(words[2]);
  std::string word;
  bool isRight = true;
  std::vector<size_t> points;
  std::string name;
  double bound = 0;
  const auto judge = [&] {
    if (points.empty()) return;
    const size_t place = places.at(name);
    const Ride &ride = rides[place];
    if (points.front() != 0) std::printf("%s begins late\n", name.c_str()), isRight = false;
    double most = 0;
    for (size_t i = 1; i < points.size(); ++i) most = std::max(most, farthest(ride, points[i - 1], points[i]));
    // What comes after the last point is beside it.
    for (size_t i = points.back(); i < ride.fixes.size(); ++i)
      most = std::max(most, metres(ride.fixes[i], ride.fixes[points.back()].lat, ride.fixes[points.back()].lon));
    halves[place % 2][bound].add(ride.fixes.size(), points.size(), douglasPeucker(ride, bound), most);
    if (!(most < bound)) std::printf("%s: %.3f m, bound %g m\n", name.c_str(), most, bound), isRight = false;
    points.clear();
  };
  while (told >> word) {
    if (word != "ride") {
      points.push_back(std::stoul(word));
      continue;
    }
    judge();
    told >> name >> bound;
  }
  judge();
  std::printf("| bound, m | rides | fixes | largest distance, m | points | Douglas–Peucker | ratio | largest of a ride |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (int half = 0; half < 2; ++half)
    for (const auto &[least, row] : halves[half]) {
      const double ratio = double(row.ours) / double(row.theirs);
      if (!(ratio <= 1.3)) isRight = false;
      std::printf("| %g | %zu, %s | %zu | %.3f | %zu | %zu | %.2f | %.2f |\n", least, row.rides, half ? "kept back" : "chosen on",
                  row.fixes, row.distance, row.ours, row.theirs, ratio, row.ratio);
    }
  return isRight ? 0 : 1;
}
