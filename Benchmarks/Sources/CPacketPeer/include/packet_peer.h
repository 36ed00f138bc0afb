// Writers of the same bytes as our forms of packets, in tight C without snprintf: the mark that the encoders are measured against.
//
// They keep the same promises: nothing is written beyond the room, names are escaped and their UTF-8 is checked, and what is not known is left
// out. They know what the packets of the benchmark have, and no rides, rules and answers.
#pragma once
#include <stddef.h>
#include <stdint.h>

// What of a packet is known, a bit each.
enum {
  PEER_UTC = 1, PEER_POSITION = 2, PEER_ACCURACY = 4, PEER_ALTITUDE = 8, PEER_SPEED = 16, PEER_COURSE = 32, PEER_SATELLITES = 64,
  PEER_ATTITUDE = 128, PEER_DILUTION = 256, PEER_CHARGE = 512, PEER_VOLTAGE = 1024, PEER_CHARGING = 2048, PEER_EXTERNAL = 4096,
  PEER_NEAR = 8192, PEER_SIGNAL = 1 << 14, PEER_TEMPERATURE = 1 << 15, PEER_CELL = 1 << 16, PEER_ALERT = 1 << 17, PEER_TILT = 1 << 18,
  PEER_DISPLACEMENT = 1 << 19,
};

typedef struct {
  int64_t time, utc, fix_time, onset, duration;
  uint32_t known;
  uint32_t sequence, boot, accuracy, speed, distance, cell, alert;
  int32_t latitude, longitude, altitude;
  float ratio, tilt, displacement;
  uint16_t course, repetition, dilution, voltage, country, network, area;
  int16_t roll, pitch, signal, temperature;
  uint8_t kind, phase, armed, stale, satellites, charge, charging, external, near, detector;
} peer_packet;

#ifdef __cplusplus
extern "C" {
#endif

// A number of a fixed number of decimals, and a time as ISO 8601, for who has no words for them.
size_t peer_fixed(int64_t value, int decimals, uint8_t *out, size_t room);
size_t peer_real(float value, int decimals, uint8_t *out, size_t room);
size_t peer_iso(int64_t utc, uint8_t *out, size_t room);

// Each gives the bytes written, or 0 when there was no room.
size_t peer_json(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room);
// The same by RapidJSON's writer.
size_t peer_json_rapidjson(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room);
size_t peer_minimal(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room);
size_t peer_text(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room);
size_t peer_own_tracks(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room);
size_t peer_own_tracks_compact(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room);
size_t peer_osm_and(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room);
size_t peer_traccar(const peer_packet *p, const uint8_t *id, size_t id_count, uint8_t *out, size_t room);

// OwnTracks' location, sealed by libsodium's crypto_secretbox.
size_t peer_sealed(const peer_packet *p, const uint8_t *id, size_t id_count, const uint8_t *key, const uint8_t *nonce, uint8_t *out,
                   size_t room);

// Home Assistant's discovery of the tracker's position.
size_t peer_discovery(const uint8_t *id, size_t id_count, const uint8_t *topic, size_t topic_count, const uint8_t *commands,
                      size_t commands_count, const uint8_t *availability, size_t availability_count, uint8_t *out, size_t room);

#ifdef __cplusplus
}
#endif
