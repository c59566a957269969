#include <turbojpeg.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

struct calotype_jpeg_reader {
  // The first, since libjpeg hands its own struct back.
  struct jpeg_error_mgr errors;
  int (*is_damage)(const char *warning);
  char *damage;
  jmp_buf end;
};

static inline void calotype_jpeg_fail(j_common_ptr decompressor) {
  struct calotype_jpeg_reader *reader = (struct calotype_jpeg_reader *)decompressor->err;
  reader->errors.format_message(decompressor, reader->damage);
  longjmp(reader->end, 1);
}

static inline void calotype_jpeg_warn(j_common_ptr decompressor, int level) {
  if (level >= 0) return;
  struct calotype_jpeg_reader *reader = (struct calotype_jpeg_reader *)decompressor->err;
  char warning[JMSG_LENGTH_MAX];
  reader->errors.format_message(decompressor, warning);
  if (reader->is_damage(warning)) calotype_jpeg_fail(decompressor);
}

/// Reads a JPEG to its end and writes the first warning that is one of damage, or the error, to `damage`, which has room for
/// `JMSG_LENGTH_MAX` bytes; an empty text if there is none. TurboJPEG tells the first of all warnings only.
static __attribute__((noinline)) void calotype_jpeg_damage(
    const unsigned char *bytes, size_t count, int (*is_damage)(const char *warning), char *damage) {
  struct jpeg_decompress_struct decompressor;
  struct calotype_jpeg_reader reader;
  memset(&decompressor, 0, sizeof decompressor);
  damage[0] = 0;
  reader.is_damage = is_damage;
  reader.damage = damage;
  decompressor.err = jpeg_std_error(&reader.errors);
  reader.errors.error_exit = calotype_jpeg_fail;
  reader.errors.emit_message = calotype_jpeg_warn;
  if (setjmp(reader.end) == 0) {
    jpeg_create_decompress(&decompressor);
    jpeg_mem_src(&decompressor, bytes, (unsigned long)count);
    jpeg_read_header(&decompressor, TRUE);
    // Every code is read whatever the size of the picture is.
    decompressor.scale_num = 1;
    decompressor.scale_denom = 8;
    jpeg_start_decompress(&decompressor);
    JSAMPARRAY row = decompressor.mem->alloc_sarray(
        (j_common_ptr)&decompressor, JPOOL_IMAGE,
        decompressor.output_width * (JDIMENSION)decompressor.output_components, 1);
    while (decompressor.output_scanline < decompressor.output_height) jpeg_read_scanlines(&decompressor, row, 1);
    jpeg_finish_decompress(&decompressor);
  }
  jpeg_destroy_decompress(&decompressor);
}
