#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstring>

#include "packet_peer.h"

namespace {

const char *const kinds[] = {"location", "parking", "movement"};
const char *const phases[] = {"starting", "riding", "settling", "parked", "suspicious", "alarmed", "stolen"};
const char *const detectors[] = {"touch", "handling", "tilt", "heading", "speed", "displacement"};

// RapidJSON's writer with numbers of a fixed number of decimals and times, which it has no words for.
struct Members {
  rapidjson::Writer<rapidjson::StringBuffer> writer;

  template <size_t count> void key(const char (&name)[count]) { writer.Key(name, count - 1); }
  void fixed(int64_t value, int decimals) {
    uint8_t text[32];
    size_t count = peer_fixed(value, decimals, text, sizeof text);
    writer.RawValue(reinterpret_cast<char *>(text), count, rapidjson::kNumberType);
  }
  void real(float value, int decimals) {
    uint8_t text[32];
    size_t count = peer_real(value, decimals, text, sizeof text);
    writer.RawValue(reinterpret_cast<char *>(text), count, rapidjson::kNumberType);
  }
  void time(int64_t utc) {
    uint8_t text[32];
    writer.String(reinterpret_cast<char *>(text), peer_iso(utc, text, sizeof text));
  }
};

} // namespace

extern "C" size_t peer_json_rapidjson(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room) {
  // As its manual advises, the buffer is kept from one message to the next.
  static rapidjson::StringBuffer buffer;
  buffer.Clear();
  Members m{rapidjson::Writer<rapidjson::StringBuffer>(buffer)};
  auto &w = m.writer;
  w.StartObject();
  m.key("type"), w.String(kinds[p->kind]);
  m.key("trackerId"), w.String(reinterpret_cast<const char *>(id), id_count);
  m.key("sequence"), w.Uint(p->sequence);
  if (p->boot) m.key("boot"), w.Uint(p->boot);
  if (p->known & PEER_UTC) m.key("utc"), m.time(p->utc);
  m.key("uptime"), m.fixed(p->time / 1000, 3);
  m.key("phase"), w.String(phases[p->phase]);
  m.key("armed"), w.Bool(p->armed);
  if (p->known & PEER_POSITION) {
    m.key("latitude"), m.fixed(p->latitude, 7);
    m.key("longitude"), m.fixed(p->longitude, 7);
    if (p->known & PEER_ACCURACY) m.key("accuracy"), m.fixed(p->accuracy, 1);
    m.key("fixAge"), m.fixed((p->time > p->fix_time ? p->time - p->fix_time : 0) / 100000, 1);
    m.key("stale"), w.Bool(p->stale);
    if (p->known & PEER_ALTITUDE) m.key("altitude"), m.fixed(p->altitude, 1);
    if (p->known & PEER_SPEED) m.key("speed"), m.fixed(p->speed, 2);
    if (p->known & PEER_COURSE) m.key("course"), m.fixed(p->course, 2);
  } else {
    m.key("latitude"), w.Null();
    m.key("longitude"), w.Null();
  }
  m.key("distance"), w.Uint(p->distance);
  if (p->known & PEER_ATTITUDE) {
    m.key("roll"), m.fixed(p->roll, 1);
    m.key("pitch"), m.fixed(p->pitch, 1);
  }
  m.key("motion"), w.Bool(p->phase == 1 || p->phase == 5 || p->phase == 6);
  if (p->known & PEER_SATELLITES) m.key("satellites"), w.Uint(p->satellites);
  if (p->known & PEER_DILUTION) m.key("hdop"), m.fixed(p->dilution, 2);
  if (p->known & PEER_CHARGE) m.key("battery"), w.Uint(p->charge);
  if (p->known & PEER_VOLTAGE) m.key("batteryVoltage"), m.fixed(p->voltage, 3);
  if (p->known & PEER_CHARGING) m.key("charging"), w.Bool(p->charging);
  if (p->known & PEER_EXTERNAL) m.key("externalPower"), w.Bool(p->external);
  if (p->known & PEER_NEAR) m.key("near"), w.Bool(p->near);
  if (p->known & PEER_SIGNAL) m.key("signal"), w.Int(p->signal);
  if (p->known & PEER_TEMPERATURE) m.key("temperature"), m.fixed(p->temperature, 1);
  if (p->known & PEER_CELL) {
    m.key("mcc"), w.Uint(p->country);
    m.key("mnc"), w.Uint(p->network);
    m.key("area"), w.Uint(p->area);
    m.key("cell"), w.Uint(p->cell);
  }
  if (p->known & PEER_ALERT) {
    m.key("alert"), w.StartObject();
    m.key("id"), w.Uint(p->alert);
    if (p->repetition) m.key("repetition"), w.Uint(p->repetition);
    m.key("detector"), w.String(detectors[p->detector]);
    m.key("ratio"), m.real(p->ratio, 2);
    m.key("onset");
    if (p->known & PEER_UTC) m.time(p->utc + (p->onset - p->time));
    else m.fixed(p->onset / 1000, 3);
    m.key("duration"), m.fixed(p->duration / 1000, 3);
    if (p->known & PEER_TILT) m.key("tilt"), m.real(p->tilt * (180 / 3.14159265f), 1);
    if (p->known & PEER_DISPLACEMENT) m.key("displacement"), m.real(p->displacement, 1);
    w.EndObject();
  }
  w.EndObject();
  if (buffer.GetSize() > room) return 0;
  memcpy(out, buffer.GetString(), buffer.GetSize());
  return buffer.GetSize();
}
