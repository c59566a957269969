#include <turbojpeg.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
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

/// Reads a JPEG to its end and writes the first warning that is one of damage, or the error, to
/// `damage`, which has room for `JMSG_LENGTH_MAX` bytes; an empty text if there is none. TurboJPEG
/// tells the first of all warnings only.
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

struct calotype_jpeg_writer {
  // The first, since libjpeg hands its own struct back.
  struct jpeg_error_mgr errors;
  unsigned char *bytes;
  unsigned long count;
  jmp_buf end;
};

static inline void calotype_jpeg_cannot_write(j_common_ptr compressor) {
  longjmp(((struct calotype_jpeg_writer *)compressor->err)->end, 1);
}

/// Encodes pixels like `tjCompress2` with 4:2:0, and writes a marker after each row of blocks.
/// TurboJPEG 2 has no parameter for these markers. Returns NULL on failure; the caller frees the
/// bytes.
static __attribute__((noinline)) unsigned char *calotype_jpeg_with_restarts(
    const unsigned char *pixels, int width, int height, int channels, int quality, size_t *count) {
  struct jpeg_compress_struct compressor;
  struct calotype_jpeg_writer writer;
  memset(&compressor, 0, sizeof compressor);
  // libjpeg never frees a caller's buffer. One of its own would be freed twice if it could not be
  // enlarged. A row of blocks ends with a marker of two bytes and at most one of padding.
  writer.count = tjBufSize(width, height, TJSAMP_420) + 3 * ((unsigned long)height / 16 + 1);
  unsigned char *const buffer = malloc(writer.count);
  writer.bytes = buffer;
  *count = 0;
  if (buffer == NULL) return NULL;
  compressor.err = jpeg_std_error(&writer.errors);
  writer.errors.error_exit = calotype_jpeg_cannot_write;
  if (setjmp(writer.end) == 0) {
    jpeg_create_compress(&compressor);
    jpeg_mem_dest(&compressor, &writer.bytes, &writer.count);
    compressor.image_width = (JDIMENSION)width;
    compressor.image_height = (JDIMENSION)height;
    compressor.input_components = channels;
    compressor.in_color_space = channels == 4 ? JCS_EXT_RGBX : JCS_EXT_RGB;
    jpeg_set_defaults(&compressor);
    jpeg_set_quality(&compressor, quality, TRUE);
    compressor.dct_method = quality >= 96 ? JDCT_ISLOW : JDCT_FASTEST;
    compressor.restart_in_rows = 1;
    jpeg_start_compress(&compressor, TRUE);
    while (compressor.next_scanline < compressor.image_height) {
      JSAMPROW row = (JSAMPROW)pixels + (size_t)compressor.next_scanline * (size_t)width * (size_t)channels;
      jpeg_write_scanlines(&compressor, &row, 1);
    }
    jpeg_finish_compress(&compressor);
    if (writer.bytes != buffer) free(buffer);
    *count = writer.count;
  } else {
    free(buffer);
    writer.bytes = NULL;
  }
  jpeg_destroy_compress(&compressor);
  return writer.bytes;
}
