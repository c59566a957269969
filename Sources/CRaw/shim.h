#include <libraw/libraw.h>
#include <malloc.h>

/// Lets `malloc` fill what it returns with zeros, or leaves it as it is.
static inline void calotype_zero_allocations(int does) { mallopt(M_PERTURB, does ? 0xFF : 0); }
