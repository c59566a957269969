#include <vips/vips.h>

#include <dlfcn.h>
#include <gmodule.h>
#include <stdio.h>

// libvips and GObject are not linked, because a hundred shared libraries come with them. They take
// longer to load than most commands take to run. `calotype_vips_load` loads them when the first
// picture needs them.

/// The functions that Calotype calls, with their prefix.
#define CALOTYPE_VIPS_FUNCTIONS(each) \
  each(vips_, version) \
  each(vips_, init) \
  each(vips_, concurrency_set) \
  each(vips_, cache_set_max) \
  each(vips_, operation_block_set) \
  each(vips_, error_buffer_copy) \
  each(vips_, source_custom_new) \
  each(vips_, thumbnail_image) \
  each(vips_, thumbnail_source) \
  each(vips_, colourspace) \
  each(vips_, icc_transform) \
  each(vips_, cast) \
  each(vips_, extract_band) \
  each(vips_, bandjoin2) \
  each(vips_, linear) \
  each(vips_, linear1) \
  each(vips_, multiply) \
  each(vips_, copy) \
  each(vips_, avg) \
  each(vips_, recomb) \
  each(vips_, image_new_matrix_from_array) \
  each(vips_, image_new_from_memory_copy) \
  each(vips_, image_new_from_source) \
  each(vips_, image_write_to_buffer) \
  each(vips_, image_write_to_memory) \
  each(vips_, image_set_blob_copy) \
  each(vips_, image_set_kill) \
  each(vips_, image_set_progress) \
  each(vips_, image_get_width) \
  each(vips_, image_get_height) \
  each(vips_, image_get_bands) \
  each(vips_, image_get_format) \
  each(vips_, image_get_interpretation) \
  each(vips_, image_get_typeof) \
  each(vips_, image_get_blob) \
  each(vips_, image_get_string) \
  each(g_, object_unref) \
  each(g_, signal_connect_data)

#define CALOTYPE_VIPS_FIELD(prefix, name) __typeof__(&prefix##name) name;

/// The loaded functions, named without their prefix.
struct calotype_vips {
  void *library;
  CALOTYPE_VIPS_FUNCTIONS(CALOTYPE_VIPS_FIELD)
};

#define CALOTYPE_VIPS_LOAD(prefix, name) \
  vips->name = (__typeof__(vips->name))dlsym(vips->library, #prefix #name); \
  if (vips->name == NULL) return dlerror();

/// Loads libvips. Returns `NULL`, or the reason why it can't be loaded.
static inline const char *calotype_vips_load(struct calotype_vips *vips) {
  // The file's name contains the version of the interface that the headers describe.
  char file[32];
  snprintf(file, sizeof file, "libvips.so.%d", VIPS_LIBRARY_CURRENT - VIPS_LIBRARY_AGE);
  vips->library = dlopen(file, RTLD_LAZY);
  if (vips->library == NULL) return dlerror();
  CALOTYPE_VIPS_FUNCTIONS(CALOTYPE_VIPS_LOAD)
  return NULL;
}

// A function of glibc that its header declares for GNU programs only.
struct calotype_symbol {
  const char *file;
  void *base;
  const char *name;
  void *address;
};
int calotype_dladdr(const void *address, struct calotype_symbol *symbol) __asm__("dladdr");

/// The module for JPEG XL, to be freed; `NULL` where libvips can't be found. Where libvips was
/// built without modules there is no such file.
static inline char *calotype_vips_jxl_module(const struct calotype_vips *vips) {
  struct calotype_symbol library;
  if (calotype_dladdr((const void *)vips->init, &library) == 0) return NULL;
  char *folder = g_path_get_dirname(library.file);
  char *module =
    g_strdup_printf("%s/vips-modules-%d.%d/vips-jxl.so", folder, vips->version(0), vips->version(1));
  g_free(folder);
  return module;
}

/// Starts libvips with one of its modules. It would load all that lie under `$VIPSHOME`, but those
/// of documents and of microscopes' pictures are never used, and take longer to load than a photo
/// to decode.
static inline int calotype_vips_init(const struct calotype_vips *vips) {
  char *home = g_strdup(g_getenv("VIPSHOME"));
  g_setenv("VIPSHOME", "/nonexistent", TRUE);
  int status = vips->init("calotype");
  // Programs that this one starts have modules of their own.
  if (home != NULL) g_setenv("VIPSHOME", home, TRUE); else g_unsetenv("VIPSHOME");
  g_free(home);
  if (status != 0) return -1;
  // A libvips that was built without modules may not bring GModule with it.
  __typeof__(&g_module_open) open = (__typeof__(&g_module_open))dlsym(vips->library, "g_module_open");
  char *module = calotype_vips_jxl_module(vips);
  if (open != NULL && module != NULL) open(module, (GModuleFlags)0);
  g_free(module);
  return 0;
}

/// Loads that module's libraries, before libvips is started and while it is.
static inline void calotype_vips_preload(const struct calotype_vips *vips) {
  char *module = calotype_vips_jxl_module(vips);
  if (module != NULL) dlopen(module, RTLD_NOW);
  g_free(module);
}

// libvips' variadic functions, each with the arguments that Imaging passes.

/// Only the header is read; what is read later fails at the first error. `options` are those of the
/// loader: `page=1`.
static inline VipsImage *calotype_vips_open(
    const struct calotype_vips *vips, VipsSource *source, const char *options, VipsFailOn fail_on) {
  return vips->image_new_from_source(
    source, options, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/// Shrinks `opened`, or the source if that is NULL, to fit a square, as stored (not rotated); never
/// enlarges.
static inline int calotype_vips_thumbnail(
    const struct calotype_vips *vips, VipsSource *source, VipsImage *opened, VipsImage **out, int side,
    VipsFailOn fail_on) {
  if (opened != NULL)
    return vips->thumbnail_image(opened, out, side, "height", side, "size", VIPS_SIZE_DOWN, "no_rotate", TRUE, NULL);
  return vips->thumbnail_source(source, out, side, "height", side, "size", VIPS_SIZE_DOWN, "no_rotate", TRUE,
    "fail_on", fail_on, NULL);
}

/// The same, converted from its embedded profile to sRGB. Pictures without a profile would be
/// tinted.
static inline int calotype_vips_thumbnail_srgb(
    const struct calotype_vips *vips, VipsSource *source, VipsImage *opened, VipsImage **out, int side,
    VipsFailOn fail_on) {
  if (opened != NULL)
    return vips->thumbnail_image(opened, out, side, "height", side, "size", VIPS_SIZE_DOWN, "no_rotate", TRUE,
      "export_profile", "srgb", "intent", VIPS_INTENT_RELATIVE, NULL);
  return vips->thumbnail_source(source, out, side, "height", side, "size", VIPS_SIZE_DOWN, "no_rotate", TRUE,
    "export_profile", "srgb", "intent", VIPS_INTENT_RELATIVE, "fail_on", fail_on, NULL);
}

static inline int calotype_vips_to_srgb(const struct calotype_vips *vips, VipsImage *in, VipsImage **out) {
  return vips->colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int calotype_vips_to_8_bit(const struct calotype_vips *vips, VipsImage *in, VipsImage **out) {
  return vips->cast(in, out, VIPS_FORMAT_UCHAR, NULL);
}

/// Converts inks by their embedded profile, which `thumbnail` would ignore. The samples become 8
/// bits first, since `icc_transform` would not scale opacity of 16 bits.
static inline int calotype_vips_inks_to_srgb(
    const struct calotype_vips *vips, VipsImage *in, VipsImage **out, VipsIntent intent) {
  VipsImage *inks = NULL;
  if (vips->cast(in, &inks, VIPS_FORMAT_UCHAR, "shift", TRUE, NULL) != 0) return -1;
  int status = vips->icc_transform(inks, out, "srgb", "embedded", TRUE, "intent", intent,
    "black_point_compensation", TRUE, NULL);
  vips->object_unref(inks);
  return status;
}

/// Converts inks without a profile to sRGB. Cyan, magenta and yellow reduce red, green and blue.
/// Black reduces all three. A fifth band is opacity.
static inline int calotype_vips_plain_inks_to_srgb(const struct calotype_vips *vips, VipsImage *in, VipsImage **out) {
  // The cast rounds down, and a whole quotient may be computed as slightly less.
  const double rounding = 0.002;
  VipsImage *step[9] = {NULL};
  int bands = vips->image_get_bands(in);
  int status = vips->cast(in, &step[0], VIPS_FORMAT_UCHAR, "shift", TRUE, NULL) != 0
    || vips->linear1(step[0], &step[1], -1.0, 255.0, NULL) != 0
    || vips->extract_band(step[1], &step[2], 0, "n", 3, NULL) != 0
    || vips->extract_band(step[1], &step[3], 3, NULL) != 0
    || vips->multiply(step[2], step[3], &step[4], NULL) != 0
    || vips->linear1(step[4], &step[5], 1.0 / 255, rounding, NULL) != 0
    || vips->cast(step[5], &step[6], VIPS_FORMAT_UCHAR, NULL) != 0
    || (bands > 4 && vips->extract_band(step[0], &step[7], 4, NULL) != 0)
    || (bands > 4 && vips->bandjoin2(step[6], step[7], &step[8], NULL) != 0)
    || vips->copy(step[bands > 4 ? 8 : 6], out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL) != 0;
  for (int i = 0; i < 9; i++)
    if (step[i] != NULL) vips->object_unref(step[i]);
  return status ? -1 : 0;
}

/// Converts L*a*b*, with or without opacity, to sRGB. For 8 bits, libvips itself would use a table
/// of 64 steps. It would also adapt a white of D50 to sRGB's D65 by scaling XYZ, unlike profiles.
static inline int calotype_vips_lab_to_srgb(
    const struct calotype_vips *vips, VipsImage *in, VipsImage **out, int is_daylight) {
  // Scales XYZ from D65 back to D50, and then adapts D50 to D65 by Bradford's matrix.
  static const double adaptation[3][3] = {
    {0.96940, -0.02304, 0.04787}, {-0.02870, 1.00994, 0.01592}, {0.01248, -0.02048, 1.00792}};
  // libvips widens L* from 8 to 10 bits. White then is 1020, and should be 1023.
  double lightness = vips->image_get_format(in) == VIPS_FORMAT_UCHAR ? 1023.0 / 1020 : 1;
  double factors[4] = {lightness, 1, 1, 1};
  double offsets[4] = {0};
  VipsImage *lab = NULL;
  if (vips->colourspace(in, &lab, VIPS_INTERPRETATION_LAB, NULL) != 0) return -1;
  int bands = vips->image_get_bands(lab);
  double values[16] = {0};
  for (int row = 0; row < bands && bands <= 4; row++)
    for (int column = 0; column < bands; column++)
      values[row * bands + column] = is_daylight || row == 3 || column == 3 ? row == column : adaptation[row][column];
  VipsImage *matrix = bands <= 4 ? vips->image_new_matrix_from_array(bands, bands, values, bands * bands) : NULL;
  VipsImage *scaled = NULL;
  VipsImage *xyz = NULL;
  VipsImage *adapted = NULL;
  int status = matrix == NULL || vips->linear(lab, &scaled, factors, offsets, bands, NULL) != 0
    || vips->colourspace(scaled, &xyz, VIPS_INTERPRETATION_XYZ, NULL) != 0
    || vips->recomb(xyz, &adapted, matrix, NULL) != 0
    || vips->colourspace(adapted, out, VIPS_INTERPRETATION_sRGB, NULL) != 0;
  VipsImage *images[] = {lab, matrix, scaled, xyz, adapted};
  for (int i = 0; i < 5; i++)
    if (images[i] != NULL) vips->object_unref(images[i]);
  return status ? -1 : 0;
}

/// Converts ICC's form of L*a*b*, which libvips does not recognize, to CIE's form. In ICC's form,
/// a* and b* have no sign, and the L* of white is 255, or 0xFF00 in 16 bits. A fourth band is
/// opacity.
static inline int calotype_vips_icc_lab(const struct calotype_vips *vips, VipsImage *in, VipsImage **out) {
  int is_deep = vips->image_get_format(in) == VIPS_FORMAT_USHORT;
  int bands = vips->image_get_bands(in);
  double step = is_deep ? 256 : 1;
  double factors[4] = {100 / 255.0 / step, 1 / step, 1 / step, is_deep ? 1 / 257.0 : 1};
  double offsets[4] = {0, -128, -128, 0};
  if (bands < 3 || bands > 4) return vips->copy(in, out, NULL);
  VipsImage *lab = NULL;
  if (vips->linear(in, &lab, factors, offsets, bands, NULL) != 0) return -1;
  int status = vips->copy(lab, out, "interpretation", VIPS_INTERPRETATION_LAB, NULL);
  vips->object_unref(lab);
  return status;
}

/// Keeps the first bands, and also the band `opacity` unless it is negative.
static inline int calotype_vips_keep_bands(
    const struct calotype_vips *vips, VipsImage *in, VipsImage **out, int colors, int opacity) {
  if (opacity < 0 || opacity == colors)
    return vips->extract_band(in, out, 0, "n", opacity < 0 ? colors : colors + 1, NULL);
  VipsImage *first = NULL;
  VipsImage *last = NULL;
  int status = vips->extract_band(in, &first, 0, "n", colors, NULL);
  if (status == 0) status = vips->extract_band(in, &last, opacity, NULL);
  if (status == 0) status = vips->bandjoin2(first, last, out, NULL);
  if (first != NULL) vips->object_unref(first);
  if (last != NULL) vips->object_unref(last);
  return status;
}

/// Multiplies each sample, and keeps the whole numbers from 0 to 65535.
static inline int calotype_vips_to_16_bit(
    const struct calotype_vips *vips, VipsImage *in, VipsImage **out, double factor) {
  VipsImage *scaled = NULL;
  if (vips->linear1(in, &scaled, factor, 0.0, NULL) != 0) return -1;
  int status = vips->cast(scaled, out, VIPS_FORMAT_USHORT, NULL);
  vips->object_unref(scaled);
  return status;
}

/// `suffix` names the format with its options: `.webp[Q=80]`.
static inline int calotype_vips_write(
    const struct calotype_vips *vips, VipsImage *in, const char *suffix, void **bytes, size_t *count) {
  return vips->image_write_to_buffer(in, suffix, bytes, count, NULL);
}

/// The same pixels, labelled as sRGB.
static inline int calotype_vips_as_srgb(const struct calotype_vips *vips, VipsImage *in, VipsImage **out) {
  return vips->copy(in, out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int calotype_vips_average(const struct calotype_vips *vips, VipsImage *in, double *average) {
  return vips->avg(in, average, NULL);
}
