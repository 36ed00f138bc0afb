#include "nmea_peer.h"

#include <stdio.h>
#include <stdlib.h>

// Where the fields of a sentence end; field 0 is the address.
typedef struct {
  const uint8_t *start;
  const uint8_t *end[40];
  int count;
} fields;

typedef struct { uint32_t present; int64_t time, latitude, longitude; int32_t speed, course, date, variation;
                 uint8_t status, mode, navigation; uint16_t talker; } rmc;
typedef struct { uint32_t present; int64_t time, latitude, longitude; int32_t hdop, height, geoid, age;
                 uint16_t quality, used, station, talker; } gga;
typedef struct { uint32_t present; int32_t pdop, hdop, vdop; uint16_t satellites[12]; uint16_t mode, talker;
                 uint8_t selection, system; } gsa;
typedef struct { uint16_t number, azimuth, ratio; int16_t elevation; uint8_t present; } satellite;
typedef struct { uint32_t present; satellite satellites[4]; uint16_t total, number, in_view, talker; uint8_t entries, signal; } gsv;
typedef struct { uint32_t present; int32_t course, magnetic, knots, kilometres; uint16_t talker; uint8_t mode; } vtg;

static inline const uint8_t *begin(const fields *f, int i) { return i ? f->end[i - 1] + 1 : f->start; }
static inline const uint8_t *end(const fields *f, int i) { return f->end[i]; }
static inline int digit(uint8_t c) { return (uint8_t)(c - '0') < 10; }

static inline uint8_t letter(const fields *f, int i) {
  return i < f->count && begin(f, i) < end(f, i) ? *begin(f, i) : 0;
}

// Each reader sets a bit of `present` when the field has a value; without one the value is 0.

static inline uint16_t whole(const fields *f, int i, uint32_t *present) {
  if (i >= f->count) return 0;
  const uint8_t *p = begin(f, i), *e = end(f, i);
  if (p == e) return 0;
  uint32_t value = 0;
  for (; p < e; p++) {
    if (!digit(*p)) return 0;
    value = value * 10 + (*p - '0');
  }
  *present |= 1u << i;
  return (uint16_t)value;
}

static inline int32_t scaled(const fields *f, int i, int decimals, uint32_t *present) {
  if (i >= f->count) return 0;
  const uint8_t *p = begin(f, i), *e = end(f, i);
  if (p == e) return 0;
  int negative = *p == '-';
  p += negative;
  int64_t value = 0;
  for (; p < e && digit(*p); p++) value = value * 10 + (*p - '0');
  if (p < e) {
    if (*p++ != '.') return 0;
    for (; p < e && decimals > 0; p++, decimals--) {
      if (!digit(*p)) return 0;
      value = value * 10 + (*p - '0');
    }
    if (p < e && *p >= '5') value++;
  }
  for (; decimals > 0; decimals--) value *= 10;
  *present |= 1u << i;
  return (int32_t)(negative ? -value : value);
}

static inline uint32_t pair(const uint8_t *p) { return (uint32_t)(p[0] - '0') * 10 + (uint32_t)(p[1] - '0'); }

static inline int64_t time_of_day(const fields *f, int i, uint32_t *present) {
  if (i >= f->count) return 0;
  const uint8_t *p = begin(f, i), *e = end(f, i);
  if (e - p < 6) return 0;
  uint32_t h = pair(p), m = pair(p + 2), s = pair(p + 4);
  if (h > 23 || m > 59 || s > 60) return 0;
  int64_t value = (int64_t)((h * 60 + m) * 60 + s);
  int missing = 6;
  p += 6;
  if (p < e) {
    if (*p++ != '.') return 0;
    for (; p < e && missing > 0; p++, missing--) value = value * 10 + (*p - '0');
  }
  for (; missing > 0; missing--) value *= 10;
  *present |= 1u << i;
  return value;
}

// Degrees and minutes to nanodegrees.
static inline int64_t coordinate(const fields *f, int i, uint8_t negative, int64_t limit, uint32_t *present) {
  if (i + 1 >= f->count) return 0;
  const uint8_t *p = begin(f, i), *e = end(f, i);
  uint8_t hemisphere = letter(f, i + 1);
  if (p == e || !hemisphere) return 0;
  uint64_t value = 0;
  for (; p < e && digit(*p); p++) value = value * 10 + (*p - '0');
  uint64_t degrees = value / 100, minutes = value % 100;
  int missing = 8;
  if (p < e) {
    if (*p++ != '.') return 0;
    for (; p < e && missing > 0; p++, missing--) {
      if (!digit(*p)) return 0;
      minutes = minutes * 10 + (*p - '0');
    }
  }
  for (; missing > 0; missing--) minutes *= 10;
  int64_t magnitude = (int64_t)degrees * 1000000000 + (int64_t)((minutes + 3) / 6);
  if (minutes >= 6000000000u || magnitude > limit) return 0;
  *present |= 1u << i;
  return hemisphere == negative ? -magnitude : magnitude;
}

static inline int32_t date(const fields *f, int i, uint32_t *present) {
  if (i >= f->count) return 0;
  const uint8_t *p = begin(f, i);
  if (end(f, i) - p != 6) return 0;
  uint32_t d = pair(p), m = pair(p + 2), y = pair(p + 4);
  if (d < 1 || d > 31 || m < 1 || m > 12 || y > 99) return 0;
  *present |= 1u << i;
  return (int32_t)(d * 10000 + m * 100 + y);
}

static inline int hexadecimal(uint8_t c) {
  if (digit(c)) return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

static inline uint16_t talker(const fields *f) { return (uint16_t)(f->start[0] << 8 | f->start[1]); }

static int64_t read_rmc(const fields *f) {
  rmc s = {0};
  s.talker = talker(f);
  s.time = time_of_day(f, 1, &s.present);
  s.status = letter(f, 2);
  s.latitude = coordinate(f, 3, 'S', 90000000000, &s.present);
  s.longitude = coordinate(f, 5, 'W', 180000000000, &s.present);
  s.speed = scaled(f, 7, 6, &s.present);
  s.course = scaled(f, 8, 4, &s.present);
  s.date = date(f, 9, &s.present);
  s.variation = scaled(f, 10, 4, &s.present);
  uint8_t side = letter(f, 11);
  if (!side) s.variation = 0;
  if (side == 'W') s.variation = -s.variation;
  s.mode = letter(f, 12);
  s.navigation = letter(f, 13);
  __asm__ volatile("" : : "r"(&s) : "memory");
  return s.time + s.latitude + s.longitude + s.speed + s.course + s.date + s.variation;
}

static int64_t read_gga(const fields *f) {
  gga s = {0};
  s.talker = talker(f);
  s.time = time_of_day(f, 1, &s.present);
  s.latitude = coordinate(f, 2, 'S', 90000000000, &s.present);
  s.longitude = coordinate(f, 4, 'W', 180000000000, &s.present);
  s.quality = whole(f, 6, &s.present);
  s.used = whole(f, 7, &s.present);
  s.hdop = scaled(f, 8, 2, &s.present);
  s.height = scaled(f, 9, 4, &s.present);
  s.geoid = scaled(f, 11, 4, &s.present);
  s.age = scaled(f, 13, 2, &s.present);
  s.station = whole(f, 14, &s.present);
  __asm__ volatile("" : : "r"(&s) : "memory");
  return s.time + s.latitude + s.longitude + s.quality + s.used + s.hdop + s.height + s.geoid + s.age + s.station;
}

static int64_t read_gsa(const fields *f) {
  gsa s = {0};
  s.talker = talker(f);
  s.selection = letter(f, 1);
  s.mode = whole(f, 2, &s.present);
  int64_t sum = s.mode;
  for (int i = 0; i < 12; i++) sum += s.satellites[i] = whole(f, 3 + i, &s.present);
  s.pdop = scaled(f, 15, 2, &s.present);
  s.hdop = scaled(f, 16, 2, &s.present);
  s.vdop = scaled(f, 17, 2, &s.present);
  int system = hexadecimal(letter(f, 18));
  s.system = system < 0 ? 0 : (uint8_t)system;
  __asm__ volatile("" : : "r"(&s) : "memory");
  return sum + s.pdop + s.hdop + s.vdop + s.system;
}

static int64_t read_gsv(const fields *f) {
  gsv s = {0};
  s.talker = talker(f);
  s.total = whole(f, 1, &s.present);
  s.number = whole(f, 2, &s.present);
  s.in_view = whole(f, 3, &s.present);
  int64_t sum = s.total + s.number + s.in_view;
  int entries = (f->count - 4) >> 2;
  if (entries > 4) entries = 4;
  for (int i = 0; i < entries; i++) {
    satellite *one = &s.satellites[i];
    sum += one->number = whole(f, 4 + 4 * i, &s.present);
    sum += one->elevation = (int16_t)scaled(f, 5 + 4 * i, 0, &s.present);
    sum += one->azimuth = whole(f, 6 + 4 * i, &s.present);
    sum += one->ratio = whole(f, 7 + 4 * i, &s.present);
  }
  s.entries = (uint8_t)entries;
  int signal = (f->count & 3) == 1 && f->count > 4 ? hexadecimal(letter(f, f->count - 1)) : 0;
  s.signal = signal < 0 ? 0 : (uint8_t)signal;
  __asm__ volatile("" : : "r"(&s) : "memory");
  return sum + s.signal;
}

static int64_t read_vtg(const fields *f) {
  vtg s = {0};
  s.talker = talker(f);
  s.course = scaled(f, 1, 4, &s.present);
  s.magnetic = scaled(f, 3, 4, &s.present);
  s.knots = scaled(f, 5, 6, &s.present);
  s.kilometres = scaled(f, 7, 4, &s.present);
  s.mode = letter(f, 9);
  __asm__ volatile("" : : "r"(&s) : "memory");
  return (int64_t)s.course + s.magnetic + s.knots + s.kilometres;
}

nmea_peer_result nmea_peer_read(const uint8_t *bytes, size_t count) {
  nmea_peer_result result = {0, 0, 0};
  const uint8_t *p = bytes, *limit = bytes + count;
  fields f;
  while (p < limit) {
    if (*p != '$') {
      p++;
      continue;
    }
    f.start = p + 1;
    f.count = 0;
    uint8_t sum = 0;
    const uint8_t *q = p + 1;
    // A control character ends the loop at the latest at the end of the line.
    for (;; q++) {
      uint8_t c = *q;
      if (c == '*' || c < 0x20) break;
      sum ^= c;
      if (c == ',' && f.count < 39) f.end[f.count++] = q;
    }
    if (*q != '*' || limit - q < 3 || q - p > 250) {
      result.rejected++;
      p = q;
      continue;
    }
    f.end[f.count++] = q;
    int high = hexadecimal(q[1]), low = hexadecimal(q[2]);
    if (high < 0 || low < 0 || (high << 4 | low) != sum) {
      result.rejected++;
      p = q + 1;
      continue;
    }
    p = q + 3;
    if (f.end[0] - f.start != 5) continue;
    result.sentences++;
    switch (f.start[2] << 16 | f.start[3] << 8 | f.start[4]) {
    case 'R' << 16 | 'M' << 8 | 'C': if (f.count >= 8) result.sum += read_rmc(&f); break;
    case 'G' << 16 | 'G' << 8 | 'A': if (f.count >= 13) result.sum += read_gga(&f); break;
    case 'G' << 16 | 'S' << 8 | 'A': if (f.count >= 18) result.sum += read_gsa(&f); break;
    case 'G' << 16 | 'S' << 8 | 'V': if (f.count >= 4) result.sum += read_gsv(&f); break;
    case 'V' << 16 | 'T' << 8 | 'G': if (f.count >= 5) result.sum += read_vtg(&f); break;
    }
  }
  return result;
}

int peer_write_fixed7(char *out, size_t size, int64_t value) {
  lldiv_t parts = lldiv(value, 10000000);
  return snprintf(out, size, "%s%lld.%07lld", value < 0 ? "-" : "", llabs(parts.quot), llabs(parts.rem));
}
