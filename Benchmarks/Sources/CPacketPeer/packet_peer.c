#include "packet_peer.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

typedef struct {
  uint8_t *place, *end;
  int full;
} writer;

typedef struct {
  const char *text;
  size_t count;
} word;
#define WORD(text) {text, sizeof text - 1}

static const word kinds[] = {WORD("location"), WORD("parking"), WORD("movement")};
static const word phases[] = {WORD("starting"), WORD("riding"), WORD("settling"), WORD("parked"),
                              WORD("suspicious"), WORD("alarmed"), WORD("stolen")};
static const word detectors[] = {WORD("touch"), WORD("handling"), WORD("tilt"), WORD("heading"), WORD("speed"), WORD("displacement")};
static const word alarms[] = {WORD("vibration"), WORD("vibration"), WORD("movement"), WORD("movement"), WORD("tow"), WORD("tow")};

static inline void put(writer *w, const void *bytes, size_t count) {
  if (count > (size_t)(w->end - w->place)) {
    w->full = 1;
    return;
  }
  memcpy(w->place, bytes, count);
  w->place += count;
}
static inline void put_byte(writer *w, uint8_t byte) { put(w, &byte, 1); }
static inline void put_word(writer *w, const word *one) { put(w, one->text, one->count); }
#define LITERAL(w, text) put(w, text, sizeof text - 1)

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566"
    "676869707172737475767778798081828384858687888990919293949596979899";

// Digits from the right, two at a time; gives where they begin.
static inline uint8_t *digits(uint8_t *end, uint64_t value, int least) {
  uint8_t *p = end;
  while (value >= 100) {
    uint64_t rest = value / 100;
    p -= 2;
    memcpy(p, pairs + 2 * (value - rest * 100), 2);
    value = rest;
  }
  if (value >= 10) {
    p -= 2;
    memcpy(p, pairs + 2 * value, 2);
  } else if (value > 0) {
    *--p = '0' + value;
  }
  while (end - p < least) *--p = '0';
  return p;
}

static void put_whole(writer *w, int64_t value, int least) {
  uint8_t text[24], *end = text + sizeof text;
  uint8_t *start = digits(end, value < 0 ? -(uint64_t)value : (uint64_t)value, least);
  if (value < 0) *--start = '-';
  put(w, start, end - start);
}

static void put_fixed(writer *w, int64_t value, int decimals) {
  uint8_t text[26], *end = text + sizeof text;
  uint8_t *start = digits(end, value < 0 ? -(uint64_t)value : (uint64_t)value, decimals + 1);
  if (decimals) {
    // The whole part moves to the left by the point.
    uint8_t *point = end - decimals - 1;
    for (uint8_t *p = start; p <= point; p++) p[-1] = p[0];
    *point = '.';
    start--;
  }
  if (value < 0) *--start = '-';
  put(w, start, end - start);
}

// Civil date of days since 1970, H. Hinnant's.
static void date(int64_t days, int64_t *year, unsigned *month, unsigned *day) {
  days += 719468;
  int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  unsigned doe = (unsigned)(days - era * 146097);
  unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  unsigned mp = (5 * doy + 2) / 153;
  *day = doy - (153 * mp + 2) / 5 + 1;
  *month = mp < 10 ? mp + 3 : mp - 9;
  *year = (int64_t)yoe + era * 400 + (*month <= 2);
}

static inline int64_t split_day(int64_t utc, int64_t *day) {
  int64_t rest = utc % 86400000000;
  *day = utc / 86400000000;
  if (rest < 0) {
    rest += 86400000000;
    --*day;
  }
  return rest;
}

static void put_iso(writer *w, int64_t utc) {
  int64_t days, year;
  unsigned month, day, ms = (unsigned)(split_day(utc, &days) / 1000);
  date(days, &year, &month, &day);
  put_whole(w, year, 4);
  uint8_t text[20] = "-00-00T00:00:00.000Z";
  unsigned s = ms / 1000;
  memcpy(text + 1, pairs + 2 * month, 2);
  memcpy(text + 4, pairs + 2 * day, 2);
  memcpy(text + 7, pairs + 2 * (s / 3600), 2);
  memcpy(text + 10, pairs + 2 * (s / 60 % 60), 2);
  memcpy(text + 13, pairs + 2 * (s % 60), 2);
  text[16] = '0' + ms % 1000 / 100;
  memcpy(text + 17, pairs + 2 * (ms % 100), 2);
  put(w, text, sizeof text);
}

// Length of the UTF-8 character at a place; negative for that many bytes that are none.
static int character(const uint8_t *p, const uint8_t *end) {
  uint8_t lowest = 0x80, highest = 0xBF;
  int length, count = 1;
  if (*p >= 0xC2 && *p <= 0xDF) length = 2;
  else if (*p >= 0xE0 && *p <= 0xEF) {
    length = 3;
    if (*p == 0xE0) lowest = 0xA0;
    if (*p == 0xED) highest = 0x9F;
  } else if (*p >= 0xF0 && *p <= 0xF4) {
    length = 4;
    if (*p == 0xF0) lowest = 0x90;
    if (*p == 0xF4) highest = 0x8F;
  } else return -1;
  for (; count < length; count++) {
    if (p + count == end || p[count] < lowest || p[count] > highest) return -count;
    lowest = 0x80, highest = 0xBF;
  }
  return length;
}

static void put_string(writer *w, const uint8_t *p, size_t count) {
  static const char hex[] = "0123456789ABCDEF";
  const uint8_t *end = p + count;
  put_byte(w, '"');
  while (p < end) {
    const uint8_t *start = p;
    while (p < end && *p >= 0x20 && *p < 0x80 && *p != '"' && *p != '\\') p++;
    put(w, start, p - start);
    if (p == end) break;
    if (*p >= 0x80) {
      int length = character(p, end);
      if (length > 0) put(w, p, length);
      else LITERAL(w, "\xEF\xBF\xBD");
      p += length > 0 ? length : -length;
    } else if (*p == '"' || *p == '\\') {
      put_byte(w, '\\');
      put_byte(w, *p++);
    } else {
      LITERAL(w, "\\u00");
      put_byte(w, hex[*p >> 4]);
      put_byte(w, hex[*p++ & 15]);
    }
  }
  put_byte(w, '"');
}

static void put_real(writer *w, float value, int decimals) {
  static const double scale[] = {1, 10, 100, 1000};
  if (!isfinite(value)) LITERAL(w, "null");
  else put_fixed(w, llround((double)value * scale[decimals]), decimals);
}

static void put_flag(writer *w, int flag) {
  if (flag) LITERAL(w, "true");
  else LITERAL(w, "false");
}

static inline int64_t divided(int64_t value, int64_t by) { return (value < 0 ? value - by / 2 : value + by / 2) / by; }
static inline int moves(const peer_packet *p) { return p->phase == 1 || p->phase == 5 || p->phase == 6; }
static inline int64_t epoch_ms(const peer_packet *p) {
  return (p->utc + ((p->known & PEER_POSITION ? p->fix_time : p->time) - p->time)) / 1000;
}
static size_t done(const writer *w, const uint8_t *out) { return w->full ? 0 : (size_t)(w->place - out); }

#define FIELD(bit, name, ...) if (p->known & (bit)) { LITERAL(w, name); __VA_ARGS__; }

static void put_moment(writer *w, const peer_packet *p, int64_t time) {
  if (p->known & PEER_UTC) {
    put_byte(w, '"');
    put_iso(w, p->utc + (time - p->time));
    put_byte(w, '"');
  } else put_fixed(w, time / 1000, 3);
}

size_t peer_json(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  LITERAL(w, "{\"type\":\"");
  put_word(w, &kinds[p->kind]);
  LITERAL(w, "\",\"trackerId\":");
  put_string(w, id, id_count);
  LITERAL(w, ",\"sequence\":");
  put_whole(w, p->sequence, 1);
  if (p->boot) {
    LITERAL(w, ",\"boot\":");
    put_whole(w, p->boot, 1);
  }
  FIELD(PEER_UTC, ",\"utc\":\"", put_iso(w, p->utc); put_byte(w, '"'))
  LITERAL(w, ",\"uptime\":");
  put_fixed(w, p->time / 1000, 3);
  LITERAL(w, ",\"phase\":\"");
  put_word(w, &phases[p->phase]);
  LITERAL(w, "\",\"armed\":");
  put_flag(w, p->armed);
  if (p->known & PEER_POSITION) {
    LITERAL(w, ",\"latitude\":");
    put_fixed(w, p->latitude, 7);
    LITERAL(w, ",\"longitude\":");
    put_fixed(w, p->longitude, 7);
    FIELD(PEER_ACCURACY, ",\"accuracy\":", put_fixed(w, p->accuracy, 1))
    LITERAL(w, ",\"fixAge\":");
    put_fixed(w, (p->time > p->fix_time ? p->time - p->fix_time : 0) / 100000, 1);
    LITERAL(w, ",\"stale\":");
    put_flag(w, p->stale);
    FIELD(PEER_ALTITUDE, ",\"altitude\":", put_fixed(w, p->altitude, 1))
    FIELD(PEER_SPEED, ",\"speed\":", put_fixed(w, p->speed, 2))
    FIELD(PEER_COURSE, ",\"course\":", put_fixed(w, p->course, 2))
  } else LITERAL(w, ",\"latitude\":null,\"longitude\":null");
  LITERAL(w, ",\"distance\":");
  put_whole(w, p->distance, 1);
  FIELD(PEER_ATTITUDE, ",\"roll\":", put_fixed(w, p->roll, 1); LITERAL(w, ",\"pitch\":"); put_fixed(w, p->pitch, 1))
  LITERAL(w, ",\"motion\":");
  put_flag(w, moves(p));
  FIELD(PEER_SATELLITES, ",\"satellites\":", put_whole(w, p->satellites, 1))
  FIELD(PEER_DILUTION, ",\"hdop\":", put_fixed(w, p->dilution, 2))
  FIELD(PEER_CHARGE, ",\"battery\":", put_whole(w, p->charge, 1))
  FIELD(PEER_VOLTAGE, ",\"batteryVoltage\":", put_fixed(w, p->voltage, 3))
  FIELD(PEER_CHARGING, ",\"charging\":", put_flag(w, p->charging))
  FIELD(PEER_EXTERNAL, ",\"externalPower\":", put_flag(w, p->external))
  FIELD(PEER_NEAR, ",\"near\":", put_flag(w, p->near))
  FIELD(PEER_SIGNAL, ",\"signal\":", put_whole(w, p->signal, 1))
  FIELD(PEER_TEMPERATURE, ",\"temperature\":", put_fixed(w, p->temperature, 1))
  FIELD(PEER_CELL, ",\"mcc\":", put_whole(w, p->country, 1); LITERAL(w, ",\"mnc\":"); put_whole(w, p->network, 1);
        LITERAL(w, ",\"area\":"); put_whole(w, p->area, 1); LITERAL(w, ",\"cell\":"); put_whole(w, p->cell, 1))
  if (p->known & PEER_ALERT) {
    LITERAL(w, ",\"alert\":{\"id\":");
    put_whole(w, p->alert, 1);
    if (p->repetition) {
      LITERAL(w, ",\"repetition\":");
      put_whole(w, p->repetition, 1);
    }
    LITERAL(w, ",\"detector\":\"");
    put_word(w, &detectors[p->detector]);
    LITERAL(w, "\",\"ratio\":");
    put_real(w, p->ratio, 2);
    LITERAL(w, ",\"onset\":");
    put_moment(w, p, p->onset);
    LITERAL(w, ",\"duration\":");
    put_fixed(w, p->duration / 1000, 3);
    FIELD(PEER_TILT, ",\"tilt\":", put_real(w, p->tilt * (180 / (float)M_PI), 1))
    FIELD(PEER_DISPLACEMENT, ",\"displacement\":", put_real(w, p->displacement, 1))
    put_byte(w, '}');
  }
  put_byte(w, '}');
  return done(w, out);
}

size_t peer_minimal(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  if (!(p->known & PEER_POSITION)) return 0;
  LITERAL(w, "{\"latitude\":");
  put_fixed(w, p->latitude, 7);
  LITERAL(w, ",\"longitude\":");
  put_fixed(w, p->longitude, 7);
  LITERAL(w, ",\"trackerId\":");
  put_string(w, id, id_count);
  put_byte(w, '}');
  return done(w, out);
}

size_t peer_text(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  for (size_t i = 0; i < id_count && i < 32; i++) {
    uint8_t c = id[i];
    int plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c && strchr(" -.,/#()+:", c));
    put_byte(w, plain ? c : '?');
  }
  LITERAL(w, ": ");
  put_word(w, &kinds[p->kind]);
  if (p->known & PEER_ALERT) {
    put_byte(w, ' ');
    put_whole(w, p->alert, 1);
    LITERAL(w, " (");
    put_word(w, &detectors[p->detector]);
    LITERAL(w, ")");
  }
  if (p->known & PEER_UTC) {
    int64_t days, year;
    unsigned month, day, minutes = (unsigned)(split_day(p->utc, &days) / 60000000);
    date(days, &year, &month, &day);
    LITERAL(w, ", ");
    put_whole(w, year, 4);
    uint8_t text[16] = "-00-00 00:00 UTC";
    memcpy(text + 1, pairs + 2 * month, 2);
    memcpy(text + 4, pairs + 2 * day, 2);
    memcpy(text + 7, pairs + 2 * (minutes / 60), 2);
    memcpy(text + 10, pairs + 2 * (minutes % 60), 2);
    put(w, text, sizeof text);
  }
  if (p->known & PEER_POSITION) {
    if (p->stale) LITERAL(w, ", last seen https://osm.org/?mlat=");
    else LITERAL(w, ", https://osm.org/?mlat=");
    put_fixed(w, divided(p->latitude, 10), 6);
    LITERAL(w, "&mlon=");
    put_fixed(w, divided(p->longitude, 10), 6);
  } else LITERAL(w, ", place unknown");
  LITERAL(w, " #");
  put_whole(w, p->sequence, 1);
  return done(w, out);
}

// The last two characters.
static size_t short_name(const uint8_t *id, size_t count) {
  size_t start = count;
  for (int characters = 0; start && characters < 2;)
    if ((id[--start] & 0xC0) != 0x80) characters++;
  return start;
}

static void put_hexadecimal(writer *w, uint64_t value) {
  uint8_t text[16], *end = text + 16, *p = end;
  do {
    *--p = "0123456789ABCDEF"[value & 15];
    value >>= 4;
  } while (value);
  put(w, p, end - p);
}

static void put_alert(writer *w, const peer_packet *p) {
  if (!(p->known & PEER_ALERT)) return;
  LITERAL(w, ",\"alert\":");
  put_whole(w, p->alert, 1);
  LITERAL(w, ",\"detector\":\"");
  put_word(w, &detectors[p->detector]);
  put_byte(w, '"');
  if (p->repetition) {
    LITERAL(w, ",\"repetition\":");
    put_whole(w, p->repetition, 1);
  }
}

size_t peer_own_tracks(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  if (!(p->known & PEER_POSITION)) return 0;
  size_t tail = short_name(id, id_count);
  LITERAL(w, "{\"_type\":\"location\",\"tid\":");
  put_string(w, id + tail, id_count - tail);
  LITERAL(w, ",\"lat\":");
  put_fixed(w, p->latitude, 7);
  LITERAL(w, ",\"lon\":");
  put_fixed(w, p->longitude, 7);
  LITERAL(w, ",\"acc\":");
  int64_t accuracy = divided(p->accuracy, 10);
  put_whole(w, !(p->known & PEER_ACCURACY) ? 100 : accuracy > 1 ? accuracy : 1, 1);
  if (p->known & PEER_UTC && epoch_ms(p) >= 0) {
    LITERAL(w, ",\"tst\":");
    put_whole(w, epoch_ms(p) / 1000, 1);
    if (p->time - p->fix_time >= 1000000) {
      LITERAL(w, ",\"created_at\":");
      put_whole(w, p->utc / 1000000, 1);
    }
  }
  FIELD(PEER_ALTITUDE, ",\"alt\":", put_whole(w, divided(p->altitude, 10), 1))
  FIELD(PEER_SPEED, ",\"vel\":", put_whole(w, divided((int64_t)p->speed * 36, 1000), 1))
  FIELD(PEER_COURSE, ",\"cog\":", put_whole(w, divided(p->course, 100) % 360, 1))
  if (p->kind == 2) LITERAL(w, ",\"t\":\"!\"");
  LITERAL(w, ",\"motion\":");
  put_flag(w, moves(p));
  FIELD(PEER_CHARGE, ",\"batt\":", put_whole(w, p->charge, 1))
  FIELD(PEER_VOLTAGE, ",\"ubatt\":", put_fixed(w, p->voltage, 3))
  int state = p->known & PEER_CHARGING && p->charging ? 2
              : p->known & PEER_EXTERNAL && !p->external ? 1
              : p->known & PEER_EXTERNAL && p->known & PEER_CHARGE && p->charge == 100 ? 3
                                                                                       : 0;
  if (state) {
    LITERAL(w, ",\"bs\":");
    put_whole(w, state, 1);
  }
  FIELD(PEER_NEAR, ",\"near\":", put_flag(w, p->near))
  FIELD(PEER_CELL, ",\"mcc\":", put_whole(w, p->country, 1); LITERAL(w, ",\"mnc\":"); put_whole(w, p->network, 1);
        LITERAL(w, ",\"lac\":\""); put_hexadecimal(w, p->area); LITERAL(w, "\",\"cid\":\""); put_hexadecimal(w, p->cell);
        put_byte(w, '"'))
  LITERAL(w, ",\"odometer\":");
  put_fixed(w, p->distance, 3);
  LITERAL(w, ",\"armed\":");
  put_flag(w, p->armed);
  if (p->known & PEER_ALERT && p->kind == 2) LITERAL(w, ",\"tow\":true");
  put_alert(w, p);
  LITERAL(w, ",\"topic\":");
  uint8_t topic[64] = "owntracks/leash/";
  size_t taken = id_count < 48 ? id_count : 48;
  memcpy(topic + 16, id, taken);
  put_string(w, topic, 16 + taken);
  LITERAL(w, ",\"_id\":\"");
  put_whole(w, p->boot, 1);
  put_byte(w, '-');
  put_whole(w, p->sequence, 1);
  LITERAL(w, "\"}");
  return done(w, out);
}

size_t peer_own_tracks_compact(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  if (!(p->known & PEER_POSITION) || !(p->known & PEER_UTC)) return 0;
  for (size_t i = short_name(id, id_count); i < id_count; i++) put_byte(w, id[i] == ',' || id[i] < 0x20 ? '_' : id[i]);
  put_byte(w, ',');
  put_hexadecimal(w, (uint64_t)(epoch_ms(p) / 1000));
  put_byte(w, ',');
  put_byte(w, p->kind == 2 ? '!' : 'k');
  put_byte(w, ',');
  put_whole(w, divided(p->latitude, 10), 1);
  put_byte(w, ',');
  put_whole(w, divided(p->longitude, 10), 1);
  put_byte(w, ',');
  put_whole(w, p->known & PEER_COURSE ? divided(p->course, 1000) % 36 : 0, 1);
  put_byte(w, ',');
  put_whole(w, p->known & PEER_SPEED ? divided((int64_t)p->speed * 36, 1000) : 0, 1);
  put_byte(w, ',');
  put_whole(w, p->known & PEER_ALTITUDE ? divided(p->altitude, 100) : 0, 1);
  LITERAL(w, ",0,");
  put_whole(w, p->distance / 1000, 1);
  return done(w, out);
}

static void put_form(writer *w, const uint8_t *p, size_t count) {
  for (const uint8_t *end = p + count; p < end; p++) {
    uint8_t c = *p;
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '*' || c == '-' || c == '.' || c == '_') {
      put_byte(w, c);
    } else if (c == ' ') put_byte(w, '+');
    else {
      put_byte(w, '%');
      put_byte(w, "0123456789ABCDEF"[c >> 4]);
      put_byte(w, "0123456789ABCDEF"[c & 15]);
    }
  }
}

size_t peer_osm_and(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  LITERAL(w, "id=");
  put_form(w, id, id_count);
  if (p->known & PEER_UTC && epoch_ms(p) >= 0) {
    int64_t time = epoch_ms(p);
    LITERAL(w, "&timestamp=");
    put_whole(w, time > 2147483647 ? time : time / 1000, 1);
  }
  if (p->known & PEER_POSITION) {
    LITERAL(w, "&lat=");
    put_fixed(w, p->latitude, 7);
    LITERAL(w, "&lon=");
    put_fixed(w, p->longitude, 7);
    FIELD(PEER_SPEED, "&speed=", put_fixed(w, divided((int64_t)p->speed * 9000, 463), 3))
    FIELD(PEER_COURSE, "&bearing=", put_fixed(w, p->course, 2))
    FIELD(PEER_ALTITUDE, "&altitude=", put_fixed(w, p->altitude, 1))
    FIELD(PEER_ACCURACY, "&accuracy=", put_fixed(w, p->accuracy, 1))
  }
  if (p->kind == 2) {
    LITERAL(w, "&alarm=");
    put_word(w, &alarms[p->detector]);
  }
  LITERAL(w, "&motion=");
  put_flag(w, moves(p));
  FIELD(PEER_SATELLITES, "&sat=", put_whole(w, p->satellites, 1))
  FIELD(PEER_DILUTION, "&hdop=", put_fixed(w, p->dilution, 2))
  FIELD(PEER_CHARGE, "&batt=", put_whole(w, p->charge, 1))
  FIELD(PEER_VOLTAGE, "&battery=", put_fixed(w, p->voltage, 3))
  FIELD(PEER_CHARGING, "&charge=", put_flag(w, p->charging))
  FIELD(PEER_EXTERNAL, "&externalPower=", put_flag(w, p->external))
  FIELD(PEER_NEAR, "&near=", put_flag(w, p->near))
  FIELD(PEER_SIGNAL, "&rssi=", put_whole(w, p->signal, 1))
  FIELD(PEER_TEMPERATURE, "&temperature=", put_fixed(w, p->temperature, 1))
  if (p->known & PEER_CELL) {
    LITERAL(w, "&cell=");
    put_whole(w, p->country, 1);
    put_byte(w, ',');
    put_whole(w, p->network, 1);
    put_byte(w, ',');
    put_whole(w, p->area, 1);
    put_byte(w, ',');
    put_whole(w, p->cell, 1);
    FIELD(PEER_SIGNAL, ",", put_whole(w, p->signal, 1))
  }
  LITERAL(w, "&odometer=");
  put_whole(w, p->distance, 1);
  LITERAL(w, "&armed=");
  put_flag(w, p->armed);
  LITERAL(w, "&event=");
  put_word(w, &kinds[p->kind]);
  LITERAL(w, "&sequence=");
  put_whole(w, p->sequence, 1);
  if (p->boot) {
    LITERAL(w, "&boot=");
    put_whole(w, p->boot, 1);
  }
  if (p->known & PEER_ALERT) {
    LITERAL(w, "&alert=");
    put_whole(w, p->alert, 1);
    LITERAL(w, "&detector=");
    put_word(w, &detectors[p->detector]);
    if (p->repetition) {
      LITERAL(w, "&repetition=");
      put_whole(w, p->repetition, 1);
    }
  }
  return done(w, out);
}

size_t peer_traccar(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  if (!(p->known & PEER_UTC)) return 0;
  LITERAL(w, "{\"device_id\":");
  put_string(w, id, id_count);
  LITERAL(w, ",\"location\":{\"timestamp\":\"");
  put_iso(w, p->utc + ((p->known & PEER_POSITION ? p->fix_time : p->time) - p->time));
  put_byte(w, '"');
  if (p->known & PEER_POSITION) {
    LITERAL(w, ",\"coords\":{\"latitude\":");
    put_fixed(w, p->latitude, 7);
    LITERAL(w, ",\"longitude\":");
    put_fixed(w, p->longitude, 7);
    LITERAL(w, ",\"accuracy\":");
    if (p->known & PEER_ACCURACY) put_fixed(w, p->accuracy, 1); else LITERAL(w, "-1");
    LITERAL(w, ",\"speed\":");
    if (p->known & PEER_SPEED) put_fixed(w, p->speed, 2); else LITERAL(w, "-1");
    LITERAL(w, ",\"heading\":");
    if (p->known & PEER_COURSE) put_fixed(w, p->course, 2); else LITERAL(w, "-1");
    LITERAL(w, ",\"altitude\":");
    if (p->known & PEER_ALTITUDE) put_fixed(w, p->altitude, 1); else LITERAL(w, "0");
    put_byte(w, '}');
  }
  LITERAL(w, ",\"is_moving\":");
  put_flag(w, moves(p));
  LITERAL(w, ",\"odometer\":");
  put_whole(w, p->distance, 1);
  int both = p->known & PEER_CHARGE && p->known & PEER_CHARGING;
  if (both) {
    LITERAL(w, ",\"battery\":{\"level\":");
    put_fixed(w, p->charge, 2);
    LITERAL(w, ",\"is_charging\":");
    put_flag(w, p->charging);
    put_byte(w, '}');
  }
  LITERAL(w, ",\"event\":\"");
  put_word(w, &kinds[p->kind]);
  put_byte(w, '"');
  if (p->kind == 2) {
    LITERAL(w, ",\"alarm\":\"");
    put_word(w, &alarms[p->detector]);
    put_byte(w, '"');
  }
  LITERAL(w, ",\"extras\":{\"sequence\":");
  put_whole(w, p->sequence, 1);
  if (p->boot) {
    LITERAL(w, ",\"boot\":");
    put_whole(w, p->boot, 1);
  }
  LITERAL(w, ",\"armed\":");
  put_flag(w, p->armed);
  if (!both) {
    FIELD(PEER_CHARGE, ",\"batteryLevel\":", put_whole(w, p->charge, 1))
    FIELD(PEER_CHARGING, ",\"charge\":", put_flag(w, p->charging))
  }
  FIELD(PEER_SATELLITES, ",\"satellites\":", put_whole(w, p->satellites, 1))
  FIELD(PEER_DILUTION, ",\"hdop\":", put_fixed(w, p->dilution, 2))
  FIELD(PEER_VOLTAGE, ",\"battery\":", put_fixed(w, p->voltage, 3))
  FIELD(PEER_EXTERNAL, ",\"externalPower\":", put_flag(w, p->external))
  FIELD(PEER_NEAR, ",\"near\":", put_flag(w, p->near))
  FIELD(PEER_SIGNAL, ",\"rssi\":", put_whole(w, p->signal, 1))
  FIELD(PEER_TEMPERATURE, ",\"temperature\":", put_fixed(w, p->temperature, 1))
  FIELD(PEER_CELL, ",\"mcc\":", put_whole(w, p->country, 1); LITERAL(w, ",\"mnc\":"); put_whole(w, p->network, 1);
        LITERAL(w, ",\"area\":"); put_whole(w, p->area, 1); LITERAL(w, ",\"cell\":"); put_whole(w, p->cell, 1))
  put_alert(w, p);
  LITERAL(w, "}}}");
  return done(w, out);
}

static void put_base64(writer *w, const uint8_t *p, size_t count) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (; count > 0; p += 3) {
    uint32_t bits = (uint32_t)p[0] << 16 | (count > 1 ? (uint32_t)p[1] << 8 : 0) | (count > 2 ? p[2] : 0);
    uint8_t four[4] = {digit[bits >> 18], digit[bits >> 12 & 63], digit[bits >> 6 & 63], digit[bits & 63]};
    if (count < 3) four[3] = '=';
    if (count < 2) four[2] = '=';
    put(w, four, 4);
    count -= count < 3 ? count : 3;
  }
}

size_t peer_sealed(const peer_packet *p, const uint8_t *id, size_t id_count, const uint8_t *key, const uint8_t *nonce, uint8_t *out,
                   size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  uint8_t plain[1024], sealed[1024 + 40];
  size_t count = peer_own_tracks(p, id, id_count, plain, sizeof plain);
  memcpy(sealed, nonce, 24);
  crypto_secretbox_easy(sealed + 24, plain, count, nonce, key);
  LITERAL(w, "{\"_type\":\"encrypted\",\"data\":\"");
  put_base64(w, sealed, count + 40);
  LITERAL(w, "\"}");
  return done(w, out);
}

// The bytes of whole levels with which both topics begin.
static size_t shared_levels(const uint8_t *a, size_t a_count, const uint8_t *b, size_t b_count) {
  size_t end = 0;
  for (size_t i = 0; i < a_count && i < b_count && a[i] == b[i]; ) {
    i++;
    if ((i == a_count || a[i] == '/') && (i == b_count || b[i] == '/')) end = i;
  }
  return end;
}

// A topic behind the base that "~" stands for.
static void put_below(writer *w, const uint8_t *topic, size_t count, size_t base) {
  uint8_t text[97] = "~";
  memcpy(text + 1, topic + base, count - base);
  put_string(w, text, count - base + 1);
}

size_t peer_discovery(const uint8_t *id, size_t id_count, const uint8_t *topic, size_t topic_count, const uint8_t *commands,
                      size_t commands_count, const uint8_t *availability, size_t availability_count, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0}, *w = &own;
  size_t base = shared_levels(topic, topic_count, availability, availability_count);
  if (commands_count > 0) base = shared_levels(topic, base, commands, commands_count);
  if (base == 0) base = topic_count;
  LITERAL(w, "{\"~\":");
  put_string(w, topic, base);
  LITERAL(w, ",\"avty_t\":");
  if (shared_levels(topic, base, availability, availability_count) == base) {
    put_below(w, availability, availability_count, base);
  } else {
    put_string(w, availability, availability_count);
  }
  LITERAL(w, ",\"dev\":{\"ids\":\"leash_");
  put(w, id, id_count);
  LITERAL(w, "\",\"name\":");
  put_string(w, id, id_count);
  LITERAL(w, "},\"uniq_id\":\"leash_");
  put(w, id, id_count);
  LITERAL(w, "_position\",\"name\":null,\"json_attr_t\":");
  put_below(w, topic, topic_count, base);
  LITERAL(w, ",\"src_type\":\"gps\",\"json_attr_tpl\":\"{% set v=value_json %}"
             "{{ ({} if v.latitude is none else dict({'latitude':v.latitude,'longitude':v.longitude,'stale':v.stale},"
             "**({'gps_accuracy':v.accuracy} if 'accuracy' in v else {})))|tojson }}\"}");
  return done(w, out);
}

size_t peer_fixed(int64_t value, int decimals, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0};
  put_fixed(&own, value, decimals);
  return done(&own, out);
}

size_t peer_real(float value, int decimals, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0};
  put_real(&own, value, decimals);
  return done(&own, out);
}

size_t peer_iso(int64_t utc, uint8_t *out, size_t room) {
  writer own = {out, out + room, 0};
  put_iso(&own, utc);
  return done(&own, out);
}
