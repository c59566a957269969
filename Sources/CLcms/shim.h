#include <lcms2.h>

// Pixel formats, which Little CMS defines by macros that Swift can't see.

static const cmsUInt32Number calotype_rgb_8 = TYPE_RGB_8;
static const cmsUInt32Number calotype_rgba_8 = TYPE_RGBA_8;
static const cmsUInt32Number calotype_cmyk_8 = TYPE_CMYK_8;
static const cmsUInt32Number calotype_cmyk_8_inverted = TYPE_CMYK_8_REV;
static const cmsUInt32Number calotype_gray_8 = TYPE_GRAY_8;
