// The reentrant functions only, as GEOS wants it.
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
