#include <vips/vips.h>

#include <dlfcn.h>
#include <gmodule.h>

// A function of glibc that its header declares for GNU programs only.
struct calotype_symbol {
  const char *file;
  void *base;
  const char *name;
  void *address;
};
int calotype_dladdr(const void *address, struct calotype_symbol *symbol) __asm__("dladdr");

/// The module for JPEG XL, to be freed; `NULL` where libvips can't be found. Where libvips was built without modules there is no such file.
static inline char *calotype_vips_jxl_module(void) {
  struct calotype_symbol library;
  if (calotype_dladdr((const void *)vips_init, &library) == 0) return NULL;
  char *folder = g_path_get_dirname(library.file);
  char *module = g_strdup_printf("%s/vips-modules-%d.%d/vips-jxl.so", folder, vips_version(0), vips_version(1));
  g_free(folder);
  return module;
}

/// Starts libvips with one of its modules. It would load all that lie under `$VIPSHOME`, but those of documents and of microscopes'
/// pictures are never used, and take longer to load than a photo to decode.
static inline int calotype_vips_init(void) {
  char *home = g_strdup(g_getenv("VIPSHOME"));
  g_setenv("VIPSHOME", "/nonexistent", TRUE);
  int status = VIPS_INIT("calotype");
  // Programs that this one starts have modules of their own.
  if (home != NULL) g_setenv("VIPSHOME", home, TRUE); else g_unsetenv("VIPSHOME");
  g_free(home);
  if (status != 0) return -1;
  char *module = calotype_vips_jxl_module();
  if (module != NULL) g_module_open(module, (GModuleFlags)0);
  g_free(module);
  return 0;
}

/// Loads that module's libraries, before libvips is started and while it is.
static inline void calotype_vips_preload(void) {
  char *module = calotype_vips_jxl_module();
  if (module != NULL) dlopen(module, RTLD_NOW);
  g_free(module);
}

// libvips' variadic functions, each with the arguments that Imaging passes.

/// Only the header is read; what is read later fails at the first error.
static inline VipsImage *calotype_vips_open(VipsSource *source) {
  return vips_image_new_from_source(source, "", "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

/// Shrinks to fit a square, as stored (not rotated); never enlarges.
static inline int calotype_vips_thumbnail(VipsSource *source, VipsImage **out, int side, VipsFailOn fail_on) {
  return vips_thumbnail_source(source, out, side, "height", side, "size", VIPS_SIZE_DOWN, "no_rotate", TRUE,
    "fail_on", fail_on, NULL);
}

/// The same, converted from its embedded profile to sRGB. For pictures that have one: others it would tint.
static inline int calotype_vips_thumbnail_srgb(VipsSource *source, VipsImage **out, int side, VipsFailOn fail_on) {
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

static inline int calotype_vips_average(VipsImage *in, double *average) { return vips_avg(in, average, NULL); }
