#pragma once
#include <gps.h>

/// Reads one JSON object of gpsd into the structure; 0 when it made sense. In the library since 2.90, without a header.
///
/// Taken in place of gps_unpack and gps_read, which call it in a loop that never ends for an object that is cut or has a
/// value of another type (libgps 3.22).
int libgps_json_unpack(const char *text, struct gps_data_t *data, const char **end);
