import Testing

/// The expected metadata of a real file, read by a machine whose time zone is Alaska's.
struct Fact: Sendable, CustomTestStringConvertible {
  var path, type, size: String
  var duration: Double
  /// The date as ISO 8601, its source, and the source of its time zone. Empty if the only date is
  /// that of the file system.
  var date: String
  var position: String
  var subtypes: UInt
  /// The content identifier and the burst identifier.
  var identifiers: String
  var testDescription: String { path }

  init(
    _ path: String, _ type: String, _ size: String, _ duration: Double, _ date: String, _ position: String,
    _ subtypes: UInt, _ identifiers: String
  ) {
    (self.path, self.type, self.size, self.duration, self.date) = (path, type, size, duration, date)
    (self.position, self.subtypes, self.identifiers) = (position, subtypes, identifiers)
  }

  static let all: [Fact] = [
    Fact(
      "apple-burst/IMG_3580.JPG", "public.jpeg", "4032x3024 1", 0.0, "2020-04-17T10:03:42.144-06:00 original file", "",
      0, "520DEEC9-9311-433F-93C1-712D889853B5"),
    Fact(
      "apple-burst/IMG_3581.JPG", "public.jpeg", "4032x3024 1", 0.0, "2020-04-17T10:03:42.262-06:00 original file", "",
      0, "520DEEC9-9311-433F-93C1-712D889853B5"),
    Fact(
      "apple-burst/IMG_3582.JPG", "public.jpeg", "4032x3024 1", 0.0, "2020-04-17T10:03:42.366-06:00 original file", "",
      0, "520DEEC9-9311-433F-93C1-712D889853B5"),
    Fact(
      "apple-edited/IMG_4120.JPG", "public.jpeg", "500x375 1", 0.0, "2019-06-09T12:57:32.835+02:00 original location",
      "50.0477 8.5724", 0, ""),
    Fact(
      "apple-edited/IMG_E4120.JPG", "public.jpeg", "500x500 1", 0.0, "2019-06-09T12:57:32.835+02:00 original location",
      "50.0477 8.5724", 0, ""),
    Fact(
      "apple-edited/wedding.jpg", "public.jpeg", "2048x1367 1", 0.0, "2019-04-15T14:40:24.860-08:00 original machine",
      "", 0, ""),
    Fact(
      "apple-edited/wedding_edited.jpg", "public.jpeg", "1526x1325 1", 0.0,
      "2019-04-15T14:40:24.860-08:00 original machine", "", 0, ""),
    Fact(
      "apple-live-edited/IMG_3582.HEIC", "public.heic", "4284x5712 1", 0.0,
      "2025-05-26T09:27:06.603-05:00 original file", "34.6648 -86.4704", 18, "602FEBB7-6B59-4799-96E6-9C8484D873C7"),
    Fact(
      "apple-live-edited/IMG_3582.mov", "com.apple.quicktime-movie", "1440x1920 1", 1.91,
      "2025-05-26T09:27:06.000-05:00 quickTime file", "34.6648 -86.4704", 0, "602FEBB7-6B59-4799-96E6-9C8484D873C7"),
    Fact(
      "apple-live-edited/IMG_3582_edited.heic", "public.heic", "4284x5712 1", 0.0,
      "2025-05-26T09:27:06.603-05:00 original file", "34.6648 -86.4704", 18, "87D06EAA-DAEF-4498-ABC5-27FE5C8CE710"),
    Fact(
      "apple-live-edited/IMG_3582_edited.mov", "com.apple.quicktime-movie", "1440x1920 1", 1.912,
      "2025-05-26T09:27:06.000-05:00 quickTime file", "34.6648 -86.4704", 0, "87D06EAA-DAEF-4498-ABC5-27FE5C8CE710"),
    Fact(
      "apple-live/IMG_3589.HEIC", "public.heic", "4032x3024 1", 0.0, "2020-04-17T10:03:48.064-06:00 original file", "",
      0, "1EA799FF-8384-4BC4-87AA-139A814D9125"),
    Fact(
      "apple-live/IMG_3589.mov", "com.apple.quicktime-movie", "1440x1080 1", 2.937,
      "2020-04-17T10:03:47.000-06:00 quickTime file", "", 0, "1EA799FF-8384-4BC4-87AA-139A814D9125"),
    Fact(
      "apple-types/IMG_2908.PNG", "public.png", "1136x640 1", 0.0, "2015-09-27T16:29:28.000-08:00 xmp machine", "", 4,
      ""),
    Fact(
      "apple-types/IMG_3539.MOV", "com.apple.quicktime-movie", "1080x1920 1", 0.567,
      "2016-01-18T15:20:40.000-07:00 quickTime file", "", 262144, ""),
    Fact("avif/exif.avif", "public.avif", "512x512 1", 0.0, "", "", 0, ""),
    Fact("avif/fox_8bpc_yuv420.avif", "public.avif", "1204x800 1", 0.0, "", "", 0, ""),
    Fact("avif/rotated090.avif", "public.avif", "480x160 1", 0.0, "", "", 0, ""),
    Fact("avif/star.avifs", "public.avif", "159x159 1", 0.2, "2020-04-07T08:39:23.000-08:00 container utc", "", 64, ""),
    Fact("corrupt/NegativeArraySize.heif", "public.heic", "0x0 1", 0.0, "", "", 0, ""),
    Fact(
      "corrupt/badimage.jpeg", "public.jpeg", "0x0 1", 0.0, "2019-07-08T06:53:48.000-08:00 digitized machine", "", 0, ""
    ),
    Fact("corrupt/broken_data_stream.png", "public.png", "128x128 1", 0.0, "", "", 0, ""),
    Fact(
      "corrupt/corrupt-header.jpg", "public.jpeg", "0x0 1", 0.0, "2004-03-20T14:54:55.000-09:00 original machine", "",
      0, ""),
    Fact(
      "corrupt/corrupted.hif", "public.heif", "5472x3648 1", 0.0, "2020-02-19T06:04:51.010-08:00 original file", "", 0,
      ""),
    Fact("corrupt/crash-0c7e0e8e.tif", "public.tiff", "480x360 1", 0.0, "", "", 0, ""),
    Fact("corrupt/crash-63b1dffe.tif", "public.tiff", "20x1536 1", 0.0, "", "", 0, ""),
    Fact("corrupt/crash-d2c93af8.j2k", "public.jpeg-2000", "64x64 1", 0.0, "", "", 0, ""),
    Fact("corrupt/decompression_bomb.gif", "com.compuserve.gif", "32x32 1", 0.0, "", "", 0, ""),
    Fact("corrupt/giant-image.jpg", "public.jpeg", "20000x14000 1", 0.0, "", "", 0, ""),
    Fact(
      "corrupt/invalid-exif.jpg", "public.jpeg", "200x200 1", 0.0, "2017-03-13T23:03:09.000-07:00 xmp file", "", 0, ""),
    Fact(
      "corrupt/invalid_exif_image00971.jpg", "public.jpeg", "636x227 1", 0.0, "2010-04-13T09:37:22.000+02:00 xmp file",
      "", 0, ""),
    Fact(
      "corrupt/invalid_exif_image01980.jpg", "public.jpeg", "284x25 1", 0.0, "2011-09-23T03:42:46.000-08:00 xmp utc",
      "", 0, ""),
    Fact("corrupt/png_decompression_dos.png", "public.png", "1x1 1", 0.0, "", "", 0, ""),
    Fact("corrupt/poc_1793.heic", "public.heic", "0x0 1", 0.0, "", "", 0, ""),
    Fact("corrupt/recoverable_bad_rst_marker.jpg", "public.jpeg", "800x800 1", 0.0, "", "", 0, ""),
    Fact("corrupt/truncated_image.png", "public.png", "640x480 1", 0.0, "", "", 0, ""),
    Fact("corrupt/truncated_jpeg.jpg", "public.jpeg", "100x100 1", 0.0, "", "", 0, ""),
    Fact(
      "corrupt/wrong.heic", "public.jpeg", "500x500 1", 0.0, "2013-03-05T17:29:26.750-09:00 original machine", "", 1, ""
    ),
    Fact("corrupt/zero_width.gif", "com.compuserve.gif", "0x32 1", 0.0, "", "", 0, ""),
    Fact("gif/dispose_prev.gif", "com.compuserve.gif", "100x100 1", 4.1, "", "", 64, ""),
    Fact("gif/pythagoras.gif", "com.compuserve.gif", "591x639 1", 49.8, "", "", 64, ""),
    Fact("gif/rotating-squares.gif", "com.compuserve.gif", "80x80 1", 0.9, "", "", 64, ""),
    Fact(
      "heic/iphone11pro_gps_o6.heic", "public.heic", "3024x4032 1", 0.0, "2019-09-24T11:41:52.361-07:00 original file",
      "37.7873 -122.4008", 0, "31C53F98-6E4A-4B09-8134-AA3B99A3E9E0"),
    Fact(
      "heic/iphone11pro_small_gps.heic", "public.heic", "1008x756 1", 0.0,
      "2020-01-29T16:59:27.836-05:00 original file", "40.7538 -74.0097", 0, ""),
    Fact(
      "heic/iphone13pro_IMG_8565.HEIC", "public.heic", "3024x4032 1", 0.0,
      "2021-09-27T07:13:05.246-06:00 original file", "", 2, ""),
    Fact(
      "heic/iphone15pro_subsec_timezone.heic", "public.heic", "3024x4032 1", 0.0,
      "2025-10-28T14:20:22.164+01:00 original file", "", 2, "6F98E4E3-F5B9-42EE-A8B0-7B968B72C4F1"),
    Fact(
      "heic/iphone7_gps_IMG_2682.heic", "public.heic", "4032x3024 1", 0.0,
      "2019-03-21T11:04:22.348-05:00 original location", "41.2203 -96.0716", 2, ""),
    Fact(
      "heic/orientation3.heic", "public.heif", "480x160 1", 0.0, "2025-02-25T10:25:10.000+01:00 original file", "", 0,
      ""),
    Fact(
      "heic/orientation6.heic", "public.heif", "480x160 1", 0.0, "2025-02-25T10:25:59.000+01:00 original file", "", 0,
      ""),
    Fact(
      "heic/orientation8.heic", "public.heif", "480x160 1", 0.0, "2025-02-25T10:25:40.000+01:00 original file", "", 0,
      ""),
    Fact(
      "heic/sony_a7c2_10bit_rot.HIF", "public.heif", "4672x7008 1", 0.0, "2026-04-06T15:12:57.963+08:00 original file",
      "", 0, ""),
    Fact(
      "jpeg/apple_gainmap_hdr.jpg", "public.jpeg", "384x512 1", 0.0, "2026-01-07T15:20:14.930+01:00 original file", "",
      2, ""),
    Fact(
      "jpeg/cameras/canon-ixus.jpg", "public.jpeg", "640x480 1", 0.0, "2001-06-09T15:17:32.000-08:00 original machine",
      "", 0, ""),
    Fact(
      "jpeg/cameras/fujifilm-finepix40i.jpg", "public.jpeg", "600x450 1", 0.0,
      "2000-08-04T18:22:57.000-08:00 original machine", "", 0, ""),
    Fact(
      "jpeg/cameras/sony-cybershot.jpg", "public.jpeg", "640x480 1", 0.0,
      "2000-09-30T10:59:45.000-08:00 original machine", "", 0, ""),
    Fact("jpeg/cmyk.jpg", "public.jpeg", "100x100 1", 0.0, "2009-03-06T22:15:00.000+01:00 xmp file", "", 0, ""),
    Fact(
      "jpeg/dates/date-priority-test.jpg", "public.jpeg", "100x100 1", 0.0,
      "2023-02-02T02:00:00.000-09:00 original machine", "", 0, ""),
    Fact(
      "jpeg/dates/datetimeoriginal-gps.jpg", "public.jpeg", "150x100 1", 0.0,
      "2025-12-01T11:30:00.000-07:00 original location", "39.0000 -108.0000", 0, ""),
    Fact(
      "jpeg/dates/gps-datetime.jpg", "public.jpeg", "100x100 1", 0.0, "2023-11-15T04:30:00.000-08:00 gps location",
      "37.7749 -122.4194", 0, ""),
    Fact("jpeg/dates/time-created.jpg", "public.jpeg", "100x100 1", 0.0, "", "", 0, ""),
    Fact(
      "jpeg/frozenpond.mpo", "public.jpeg", "640x480 1", 0.0, "2014-03-02T13:30:00.000-09:00 original machine", "", 0,
      ""),
    Fact(
      "jpeg/gps_DSCN0010.jpg", "public.jpeg", "640x480 1", 0.0, "2008-10-22T16:28:39.000+02:00 original location",
      "43.4674 11.8851", 0, ""),
    Fact(
      "jpeg/gps_DSCN0021.jpg", "public.jpeg", "640x480 1", 0.0, "2008-10-22T16:38:20.000+02:00 original location",
      "43.4671 11.8845", 0, ""),
    Fact(
      "jpeg/gps_DSCN0042.jpg", "public.jpeg", "640x480 1", 0.0, "2008-10-22T17:00:07.000+02:00 original location",
      "43.4645 11.8815", 0, ""),
    Fact(
      "jpeg/htc_desire_gps.jpg", "public.jpeg", "776x909 1", 0.0, "2011-05-06T09:59:48.000+02:00 original location",
      "45.5007 9.1103", 0, ""),
    Fact(
      "jpeg/iphone4_gps.jpg", "public.jpeg", "1296x968 1", 0.0, "2011-01-13T14:33:39.000+01:00 original location",
      "41.8530 12.4888", 0, ""),
    Fact(
      "jpeg/motion_appended_mp4.jpg", "public.jpeg", "240x180 1", 0.0,
      "2018-01-11T13:09:38.321+02:00 original location", "-34.0214 23.8994", 8, ""),
    Fact(
      "jpeg/motorola_empty_gps.jpg", "public.jpeg", "4640x3472 1", 0.0,
      "2025-06-01T16:59:26.023-08:00 original machine", "", 0, ""),
    Fact("jpeg/no_exif.jpg", "public.jpeg", "342x256 1", 0.0, "", "", 0, ""),
    Fact("jpeg/orientation/landscape_1.jpg", "public.jpeg", "600x450 1", 0.0, "", "", 0, ""),
    Fact("jpeg/orientation/landscape_3.jpg", "public.jpeg", "600x450 3", 0.0, "", "", 0, ""),
    Fact("jpeg/orientation/landscape_4.jpg", "public.jpeg", "600x450 4", 0.0, "", "", 0, ""),
    Fact("jpeg/orientation/landscape_5.jpg", "public.jpeg", "600x450 5", 0.0, "", "", 0, ""),
    Fact("jpeg/orientation/landscape_6.jpg", "public.jpeg", "600x450 6", 0.0, "", "", 0, ""),
    Fact("jpeg/orientation/landscape_7.jpg", "public.jpeg", "600x450 7", 0.0, "", "", 0, ""),
    Fact("jpeg/orientation/landscape_8.jpg", "public.jpeg", "600x450 8", 0.0, "", "", 0, ""),
    Fact(
      "jpeg/p3_wide_gamut.jpg", "public.jpeg", "600x400 1", 0.0, "2012-08-08T22:07:18.100Z original location",
      "65.0556 -16.6257", 0, ""),
    Fact(
      "jpeg/panorama360.jpg", "public.jpeg", "500x250 1", 0.0, "2020-05-24T11:55:21.000+03:00 original location",
      "59.8408 30.5100", 1, ""),
    Fact(
      "jpeg/picasa_tags.jpg", "public.jpeg", "100x75 1", 0.0, "2010-02-13T14:55:31.000-09:00 original machine", "", 0,
      ""),
    Fact(
      "jpeg/pixel8pro_ultrahdr.jpg", "public.jpeg", "3072x4080 1", 0.0, "2023-11-01T15:11:17.049+01:00 original file",
      "", 2, ""),
    Fact("jpeg/portrait-orientation-6.jpg", "public.jpeg", "840x700 6", 0.0, "", "", 0, ""),
    Fact("jpeg/progressive.jpeg", "public.jpeg", "450x300 1", 0.0, "", "", 0, ""),
    Fact(
      "jpeg/rating_mongolels.jpg", "public.jpeg", "950x634 1", 0.0, "2009-08-29T13:18:08.170-08:00 original machine",
      "", 0, ""),
    Fact(
      "jpeg/samsung_gps_zero.jpg", "public.jpeg", "480x640 6", 0.0, "2011-04-02T18:30:10.000-08:00 original machine",
      "", 0, ""),
    Fact(
      "jpeg/sony_hx5v_gps.jpg", "public.jpeg", "730x547 1", 0.0, "2010-05-15T17:12:05.000+02:00 original location",
      "51.7786 8.3656", 0, ""),
    Fact(
      "jpeg/thompson_springs_gps.jpg", "public.jpeg", "150x103 1", 0.0, "2022-01-10T14:15:33.519-07:00 gps location",
      "39.1150 -108.4010", 0, ""),
    Fact(
      "jpeg/whatsapp_IMG-20191006-WA0002.jpg", "public.jpeg", "1024x768 1", 0.0,
      "2019-10-06T12:00:00.000-08:00 name machine", "", 0, ""),
    Fact("jxl/bench_oriented_brg.jxl", "public.jpeg-xl", "606x500 1", 0.0, "", "", 0, ""),
    Fact(
      "jxl/exif_gps_test_0001.jxl", "public.jpeg-xl", "1280x1024 1", 0.0,
      "2025-08-15T22:25:54.000-07:00 original location", "44.0604 -121.3141", 0, ""),
    Fact("jxl/newtons_cradle.jxl", "public.jpeg-xl", "480x360 1", 0.0, "", "", 64, ""),
    Fact("jxl/orientation6.jxl", "public.jpeg-xl", "480x160 1", 0.0, "", "", 0, ""),
    Fact("jxl/test.jxl", "public.jpeg-xl", "1200x720 1", 0.0, "", "", 0, ""),
    Fact(
      "png/Screenshot 2019-05-21 at 10.45.52.png", "public.png", "1189x849 1", 0.0,
      "2019-05-21T10:45:52.000-08:00 name machine", "", 4, ""),
    Fact("png/animated.apng", "public.png", "245x245 1", 2.73, "", "", 64, ""),
    Fact(
      "png/density_plot.png", "public.png", "800x800 1", 0.0, "2007-02-13T06:34:38.000-09:00 png machine", "", 0, ""),
    Fact(
      "png/exif_orientation.png", "public.png", "512x512 3", 0.0, "2019-01-07T01:13:34.000-09:00 png utc", "", 0, ""),
    Fact("png/screenshot-really-a-png.jpeg", "public.png", "1854x1486 1", 0.0, "", "", 4, ""),
    Fact(
      "png/this-is-a-jpeg.png", "public.jpeg", "240x180 1", 0.0, "2018-01-11T13:09:38.321+02:00 original location",
      "-34.0214 23.8994", 0, ""),
    Fact(
      "raw/canon_eos_6d.dng", "com.adobe.raw-image", "1224x816 1", 0.0, "2019-06-06T07:29:51.000+02:00 original file",
      "", 0, ""),
    Fact(
      "raw/canon_eosr_truncated.cr3", "com.canon.cr3-raw-image", "4480x6720 6", 0.0,
      "2019-12-05T13:32:49.540+08:00 original file", "", 0, ""),
    Fact(
      "raw/iphone12pro_proraw_pruned.dng", "com.adobe.raw-image", "3024x4032 6", 0.0,
      "2020-12-29T14:24:45.700-05:00 original file", "34.0596 -84.6817", 0, ""),
    Fact(
      "raw/kodak_dc50_DC0011M.KDC", "com.kodak.raw-image", "756x504 1", 0.0,
      "1994-01-01T14:39:47.000-09:00 digitized machine", "", 0, ""),
    Fact(
      "takeout-en/Takeout/Google Photos/Pumpkin Farm/Pumkins1.jpg", "public.jpeg", "2048x1365 1", 0.0,
      "2018-09-28T15:35:49.630-08:00 original machine", "", 0, ""),
    Fact(
      "takeout-en/Takeout/Google Photos/Pumpkin Farm/Pumkins2.jpg", "public.jpeg", "1365x2048 1", 0.0,
      "2018-09-28T16:07:07.000-08:00 original machine", "", 0, ""),
    Fact(
      "takeout-fr/Takeout/Google Photos/Album test 6-10-23/PXL_20231006_063536303.jpg", "public.jpeg", "266x200 1", 0.0,
      "2023-10-06T08:35:36.303+02:00 original file", "48.8584 2.2919", 0, ""),
    Fact(
      "takeout-fr/Takeout/Google Photos/Album test 6-10-23/PXL_20231006_063851485.jpg", "public.jpeg", "151x200 1", 0.0,
      "2023-10-06T08:38:51.485+02:00 original file", "48.8584 2.2919", 0, ""),
    Fact(
      "takeout-fr/Takeout/Google Photos/Album test 6-10-23/PXL_20231006_063909898.LS.mp4", "public.mpeg-4",
      "1440x1080 1", 3.088, "2023-10-06T08:39:09.000+02:00 container location", "48.8125 2.4862", 0, ""),
    Fact(
      "tiff/16bit_rgb.tiff", "public.tiff", "100x40 1", 0.0, "2017-08-21T12:00:00.000-08:00 digitized machine", "", 0,
      ""),
    Fact("tiff/BSG1.tiff", "public.tiff", "635x348 1", 0.0, "", "", 0, ""),
    Fact("tiff/multipage.tiff", "public.tiff", "10x10 1", 0.0, "", "", 0, ""),
    Fact("tiff/up_arrow_90cw.tiff", "public.tiff", "280x400 6", 0.0, "", "", 0, ""),
    Fact(
      "video/android_rot90.mp4", "public.3gpp", "720x1280 1", 1.3, "2020-10-23T12:27:29.000-08:00 container utc", "", 0,
      ""),
    Fact(
      "video/hevc.mov", "com.apple.quicktime-movie", "720x1280 1", 1.167,
      "2023-09-22T18:34:05.000+02:00 quickTime file", "52.4597 13.3220", 0, ""),
    Fact("video/hevc_hev1_small.mp4", "public.mpeg-4", "216x384 1", 0.672, "", "", 0, ""),
    Fact(
      "video/iphone6_rot90_gps.mov", "com.apple.quicktime-movie", "320x568 1", 4.002,
      "2019-07-24T11:25:40.000+03:00 quickTime file", "32.0929 34.8620", 0, ""),
    Fact(
      "video/sample.3gp", "public.3gpp", "176x144 1", 4.933, "2005-10-28T09:36:40.000-08:00 container utc", "", 0, ""),
    Fact("video/webm.webm", "org.webmproject.webm", "640x360 1", 10.501, "", "", 0, ""),
    Fact(
      "video/with-gps.mp4", "public.mpeg-4", "1920x1080 1", 0.171, "2017-02-22T08:20:28.000Z container location",
      "51.4169 -0.0806", 0, ""),
    Fact("webp/alpha_lossless.webp", "org.webmproject.webp", "386x395 1", 0.0, "", "", 0, ""),
    Fact("webp/animation_lossy.webp", "org.webmproject.webp", "320x240 1", 3.03, "", "", 64, ""),
    Fact(
      "webp/denali_exif.webp", "org.webmproject.webp", "600x315 1", 0.0,
      "2010-08-13T21:00:01.850-08:00 original machine", "", 0, ""),
    Fact(
      "webp/iphonex_gps_o6.webp", "org.webmproject.webp", "240x320 6", 0.0,
      "2018-08-27T12:20:23.738-07:00 original location", "37.3927 -122.0410", 0, ""),
  ]
}
