#include <vips/vips.h>

// libvips' variadic functions, each with the arguments that Imaging passes.

static inline int calotype_vips_init(void) { return VIPS_INIT("calotype"); }

/// Only the header is read.
static inline VipsImage *calotype_vips_open(VipsSource *source) {
  return vips_image_new_from_source(source, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

/// Shrinks to fit a square, in sRGB, as stored (not rotated); never enlarges.
static inline int calotype_vips_thumbnail(VipsSource *source, VipsImage **out, int side, VipsFailOn fail_on) {
  return vips_thumbnail_source(source, out, side, "height", side, "size", VIPS_SIZE_DOWN, "no_rotate", TRUE,
    "export_profile", "srgb", "intent", VIPS_INTENT_RELATIVE, "fail_on", fail_on, NULL);
}

static inline int calotype_vips_to_srgb(VipsImage *in, VipsImage **out) {
  return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int calotype_vips_to_8_bit(VipsImage *in, VipsImage **out) {
  return vips_cast(in, out, VIPS_FORMAT_UCHAR, NULL);
}

/// `suffix` names the format with its options: `.webp[Q=80]`.
static inline int calotype_vips_write(VipsImage *in, const char *suffix, void **bytes, size_t *count) {
  return vips_image_write_to_buffer(in, suffix, bytes, count, NULL);
}

/// The same pixels, labelled as sRGB.
static inline int calotype_vips_as_srgb(VipsImage *in, VipsImage **out) {
  return vips_copy(in, out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
}
