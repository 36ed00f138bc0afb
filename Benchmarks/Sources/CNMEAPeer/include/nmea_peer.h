// A tight scalar C reader of RMC, GGA, GSA, GSV and VTG: the mark that the Swift reader is measured against.
//
// It does the same work: finds the sentences, compares the checksum, reads all fields into scaled integers of the same
// scales, and adds them up so that nothing can be left out.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t sentences;
  uint64_t rejected;
  int64_t sum;
} nmea_peer_result;

// The bytes must end with a line end.
nmea_peer_result nmea_peer_read(const uint8_t *bytes, size_t count);

// Writes value / 10^7 in decimal with the C library's formatter, for comparison; gives the number of characters.
int peer_write_fixed7(char *out, size_t size, int64_t value);
