// ImageIO's keys, in its spelling.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// MARK: File and picture

public let kCGImagePropertyFileSize: CFString = "FileSize"
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
public let kCGImagePropertyDPIWidth: CFString = "DPIWidth"
public let kCGImagePropertyDPIHeight: CFString = "DPIHeight"
public let kCGImagePropertyDepth: CFString = "Depth"
public let kCGImagePropertyOrientation: CFString = "Orientation"
public let kCGImagePropertyHasAlpha: CFString = "HasAlpha"
public let kCGImagePropertyColorModel: CFString = "ColorModel"
public let kCGImagePropertyColorModelRGB: CFString = "RGB"
public let kCGImagePropertyColorModelGray: CFString = "Gray"
public let kCGImagePropertyColorModelCMYK: CFString = "CMYK"

public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
public let kCGImagePropertyExifDictionary: CFString = "{Exif}"
public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
public let kCGImagePropertyIPTCDictionary: CFString = "{IPTC}"
public let kCGImagePropertyJFIFDictionary: CFString = "{JFIF}"
public let kCGImagePropertyPNGDictionary: CFString = "{PNG}"
/// The key of Apple's maker note. The dictionary's keys are the note's tag numbers as texts: `"17"`
/// is the identifier that pairs the files of a Live Photo.
public let kCGImagePropertyMakerAppleDictionary: CFString = "{MakerApple}"

public let kCGImagePropertyJFIFVersion: CFString = "JFIFVersion"
public let kCGImagePropertyJFIFDensityUnit: CFString = "DensityUnit"
public let kCGImagePropertyJFIFXDensity: CFString = "XDensity"
public let kCGImagePropertyJFIFYDensity: CFString = "YDensity"
public let kCGImagePropertyJFIFIsProgressive: CFString = "IsProgressive"

public let kCGImagePropertyPNGXPixelsPerMeter: CFString = "XPixelsPerMeter"
public let kCGImagePropertyPNGYPixelsPerMeter: CFString = "YPixelsPerMeter"
public let kCGImagePropertyPNGInterlaceType: CFString = "InterlaceType"

// MARK: TIFF

public let kCGImagePropertyTIFFCompression: CFString = "Compression"
public let kCGImagePropertyTIFFPhotometricInterpretation: CFString = "PhotometricInterpretation"
public let kCGImagePropertyTIFFDocumentName: CFString = "DocumentName"
public let kCGImagePropertyTIFFImageDescription: CFString = "ImageDescription"
public let kCGImagePropertyTIFFMake: CFString = "Make"
public let kCGImagePropertyTIFFModel: CFString = "Model"
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"
public let kCGImagePropertyTIFFXResolution: CFString = "XResolution"
public let kCGImagePropertyTIFFYResolution: CFString = "YResolution"
public let kCGImagePropertyTIFFResolutionUnit: CFString = "ResolutionUnit"
public let kCGImagePropertyTIFFTransferFunction: CFString = "TransferFunction"
public let kCGImagePropertyTIFFSoftware: CFString = "Software"
public let kCGImagePropertyTIFFDateTime: CFString = "DateTime"
public let kCGImagePropertyTIFFArtist: CFString = "Artist"
public let kCGImagePropertyTIFFHostComputer: CFString = "HostComputer"
public let kCGImagePropertyTIFFWhitePoint: CFString = "WhitePoint"
public let kCGImagePropertyTIFFPrimaryChromaticities: CFString = "PrimaryChromaticities"
public let kCGImagePropertyTIFFTileWidth: CFString = "TileWidth"
public let kCGImagePropertyTIFFTileLength: CFString = "TileLength"
public let kCGImagePropertyTIFFCopyright: CFString = "Copyright"

// MARK: Exif

public let kCGImagePropertyExifExposureTime: CFString = "ExposureTime"
public let kCGImagePropertyExifFNumber: CFString = "FNumber"
public let kCGImagePropertyExifExposureProgram: CFString = "ExposureProgram"
public let kCGImagePropertyExifSpectralSensitivity: CFString = "SpectralSensitivity"
public let kCGImagePropertyExifISOSpeedRatings: CFString = "ISOSpeedRatings"
public let kCGImagePropertyExifOECF: CFString = "OECF"
public let kCGImagePropertyExifSensitivityType: CFString = "SensitivityType"
public let kCGImagePropertyExifStandardOutputSensitivity: CFString = "StandardOutputSensitivity"
public let kCGImagePropertyExifRecommendedExposureIndex: CFString = "RecommendedExposureIndex"
public let kCGImagePropertyExifISOSpeed: CFString = "ISOSpeed"
public let kCGImagePropertyExifISOSpeedLatitudeyyy: CFString = "ISOSpeedLatitudeyyy"
public let kCGImagePropertyExifISOSpeedLatitudezzz: CFString = "ISOSpeedLatitudezzz"
public let kCGImagePropertyExifVersion: CFString = "ExifVersion"
public let kCGImagePropertyExifDateTimeOriginal: CFString = "DateTimeOriginal"
public let kCGImagePropertyExifDateTimeDigitized: CFString = "DateTimeDigitized"
public let kCGImagePropertyExifOffsetTime: CFString = "OffsetTime"
public let kCGImagePropertyExifOffsetTimeOriginal: CFString = "OffsetTimeOriginal"
public let kCGImagePropertyExifOffsetTimeDigitized: CFString = "OffsetTimeDigitized"
public let kCGImagePropertyExifComponentsConfiguration: CFString = "ComponentsConfiguration"
public let kCGImagePropertyExifCompressedBitsPerPixel: CFString = "CompressedBitsPerPixel"
public let kCGImagePropertyExifShutterSpeedValue: CFString = "ShutterSpeedValue"
public let kCGImagePropertyExifApertureValue: CFString = "ApertureValue"
public let kCGImagePropertyExifBrightnessValue: CFString = "BrightnessValue"
public let kCGImagePropertyExifExposureBiasValue: CFString = "ExposureBiasValue"
public let kCGImagePropertyExifMaxApertureValue: CFString = "MaxApertureValue"
public let kCGImagePropertyExifSubjectDistance: CFString = "SubjectDistance"
public let kCGImagePropertyExifMeteringMode: CFString = "MeteringMode"
public let kCGImagePropertyExifLightSource: CFString = "LightSource"
public let kCGImagePropertyExifFlash: CFString = "Flash"
public let kCGImagePropertyExifFocalLength: CFString = "FocalLength"
public let kCGImagePropertyExifSubjectArea: CFString = "SubjectArea"
public let kCGImagePropertyExifUserComment: CFString = "UserComment"
public let kCGImagePropertyExifSubsecTime: CFString = "SubsecTime"
public let kCGImagePropertyExifSubsecTimeOriginal: CFString = "SubsecTimeOriginal"
public let kCGImagePropertyExifSubsecTimeDigitized: CFString = "SubsecTimeDigitized"
public let kCGImagePropertyExifFlashPixVersion: CFString = "FlashPixVersion"
public let kCGImagePropertyExifColorSpace: CFString = "ColorSpace"
public let kCGImagePropertyExifPixelXDimension: CFString = "PixelXDimension"
public let kCGImagePropertyExifPixelYDimension: CFString = "PixelYDimension"
public let kCGImagePropertyExifRelatedSoundFile: CFString = "RelatedSoundFile"
public let kCGImagePropertyExifFlashEnergy: CFString = "FlashEnergy"
public let kCGImagePropertyExifSpatialFrequencyResponse: CFString = "SpatialFrequencyResponse"
public let kCGImagePropertyExifFocalPlaneXResolution: CFString = "FocalPlaneXResolution"
public let kCGImagePropertyExifFocalPlaneYResolution: CFString = "FocalPlaneYResolution"
public let kCGImagePropertyExifFocalPlaneResolutionUnit: CFString = "FocalPlaneResolutionUnit"
public let kCGImagePropertyExifSubjectLocation: CFString = "SubjectLocation"
public let kCGImagePropertyExifExposureIndex: CFString = "ExposureIndex"
public let kCGImagePropertyExifSensingMethod: CFString = "SensingMethod"
public let kCGImagePropertyExifFileSource: CFString = "FileSource"
public let kCGImagePropertyExifSceneType: CFString = "SceneType"
public let kCGImagePropertyExifCFAPattern: CFString = "CFAPattern"
public let kCGImagePropertyExifCustomRendered: CFString = "CustomRendered"
public let kCGImagePropertyExifExposureMode: CFString = "ExposureMode"
public let kCGImagePropertyExifWhiteBalance: CFString = "WhiteBalance"
public let kCGImagePropertyExifDigitalZoomRatio: CFString = "DigitalZoomRatio"
public let kCGImagePropertyExifFocalLenIn35mmFilm: CFString = "FocalLenIn35mmFilm"
public let kCGImagePropertyExifSceneCaptureType: CFString = "SceneCaptureType"
public let kCGImagePropertyExifGainControl: CFString = "GainControl"
public let kCGImagePropertyExifContrast: CFString = "Contrast"
public let kCGImagePropertyExifSaturation: CFString = "Saturation"
public let kCGImagePropertyExifSharpness: CFString = "Sharpness"
public let kCGImagePropertyExifDeviceSettingDescription: CFString = "DeviceSettingDescription"
public let kCGImagePropertyExifSubjectDistRange: CFString = "SubjectDistRange"
public let kCGImagePropertyExifImageUniqueID: CFString = "ImageUniqueID"
public let kCGImagePropertyExifCameraOwnerName: CFString = "CameraOwnerName"
public let kCGImagePropertyExifBodySerialNumber: CFString = "BodySerialNumber"
public let kCGImagePropertyExifLensSpecification: CFString = "LensSpecification"
public let kCGImagePropertyExifLensMake: CFString = "LensMake"
public let kCGImagePropertyExifLensModel: CFString = "LensModel"
public let kCGImagePropertyExifLensSerialNumber: CFString = "LensSerialNumber"
public let kCGImagePropertyExifCompositeImage: CFString = "CompositeImage"
public let kCGImagePropertyExifSourceImageNumberOfCompositeImage: CFString = "SourceImageNumberOfCompositeImage"
public let kCGImagePropertyExifSourceExposureTimesOfCompositeImage: CFString = "SourceExposureTimesOfCompositeImage"
public let kCGImagePropertyExifGamma: CFString = "Gamma"

// MARK: GPS

public let kCGImagePropertyGPSVersion: CFString = "GPSVersion"
public let kCGImagePropertyGPSLatitudeRef: CFString = "LatitudeRef"
public let kCGImagePropertyGPSLatitude: CFString = "Latitude"
public let kCGImagePropertyGPSLongitudeRef: CFString = "LongitudeRef"
public let kCGImagePropertyGPSLongitude: CFString = "Longitude"
public let kCGImagePropertyGPSAltitudeRef: CFString = "AltitudeRef"
public let kCGImagePropertyGPSAltitude: CFString = "Altitude"
public let kCGImagePropertyGPSTimeStamp: CFString = "TimeStamp"
public let kCGImagePropertyGPSSatellites: CFString = "Satellites"
public let kCGImagePropertyGPSStatus: CFString = "Status"
public let kCGImagePropertyGPSMeasureMode: CFString = "MeasureMode"
public let kCGImagePropertyGPSDOP: CFString = "DOP"
public let kCGImagePropertyGPSSpeedRef: CFString = "SpeedRef"
public let kCGImagePropertyGPSSpeed: CFString = "Speed"
public let kCGImagePropertyGPSTrackRef: CFString = "TrackRef"
public let kCGImagePropertyGPSTrack: CFString = "Track"
public let kCGImagePropertyGPSImgDirectionRef: CFString = "ImgDirectionRef"
public let kCGImagePropertyGPSImgDirection: CFString = "ImgDirection"
public let kCGImagePropertyGPSMapDatum: CFString = "MapDatum"
public let kCGImagePropertyGPSDestLatitudeRef: CFString = "DestLatitudeRef"
public let kCGImagePropertyGPSDestLatitude: CFString = "DestLatitude"
public let kCGImagePropertyGPSDestLongitudeRef: CFString = "DestLongitudeRef"
public let kCGImagePropertyGPSDestLongitude: CFString = "DestLongitude"
public let kCGImagePropertyGPSDestBearingRef: CFString = "DestBearingRef"
public let kCGImagePropertyGPSDestBearing: CFString = "DestBearing"
public let kCGImagePropertyGPSDestDistanceRef: CFString = "DestDistanceRef"
public let kCGImagePropertyGPSDestDistance: CFString = "DestDistance"
public let kCGImagePropertyGPSProcessingMethod: CFString = "ProcessingMethod"
public let kCGImagePropertyGPSAreaInformation: CFString = "AreaInformation"
public let kCGImagePropertyGPSDateStamp: CFString = "DateStamp"
public let kCGImagePropertyGPSDifferental: CFString = "Differential"
public let kCGImagePropertyGPSHPositioningError: CFString = "HPositioningError"

// MARK: IPTC

public let kCGImagePropertyIPTCObjectTypeReference: CFString = "ObjectTypeReference"
public let kCGImagePropertyIPTCObjectAttributeReference: CFString = "ObjectAttributeReference"
public let kCGImagePropertyIPTCObjectName: CFString = "ObjectName"
public let kCGImagePropertyIPTCEditStatus: CFString = "EditStatus"
public let kCGImagePropertyIPTCEditorialUpdate: CFString = "EditorialUpdate"
public let kCGImagePropertyIPTCUrgency: CFString = "Urgency"
public let kCGImagePropertyIPTCSubjectReference: CFString = "SubjectReference"
public let kCGImagePropertyIPTCCategory: CFString = "Category"
public let kCGImagePropertyIPTCSupplementalCategory: CFString = "SupplementalCategory"
public let kCGImagePropertyIPTCFixtureIdentifier: CFString = "FixtureIdentifier"
public let kCGImagePropertyIPTCKeywords: CFString = "Keywords"
public let kCGImagePropertyIPTCContentLocationCode: CFString = "ContentLocationCode"
public let kCGImagePropertyIPTCContentLocationName: CFString = "ContentLocationName"
public let kCGImagePropertyIPTCReleaseDate: CFString = "ReleaseDate"
public let kCGImagePropertyIPTCReleaseTime: CFString = "ReleaseTime"
public let kCGImagePropertyIPTCExpirationDate: CFString = "ExpirationDate"
public let kCGImagePropertyIPTCExpirationTime: CFString = "ExpirationTime"
public let kCGImagePropertyIPTCSpecialInstructions: CFString = "SpecialInstructions"
public let kCGImagePropertyIPTCActionAdvised: CFString = "ActionAdvised"
public let kCGImagePropertyIPTCReferenceService: CFString = "ReferenceService"
public let kCGImagePropertyIPTCReferenceDate: CFString = "ReferenceDate"
public let kCGImagePropertyIPTCReferenceNumber: CFString = "ReferenceNumber"
public let kCGImagePropertyIPTCDateCreated: CFString = "DateCreated"
public let kCGImagePropertyIPTCTimeCreated: CFString = "TimeCreated"
public let kCGImagePropertyIPTCDigitalCreationDate: CFString = "DigitalCreationDate"
public let kCGImagePropertyIPTCDigitalCreationTime: CFString = "DigitalCreationTime"
public let kCGImagePropertyIPTCOriginatingProgram: CFString = "OriginatingProgram"
public let kCGImagePropertyIPTCProgramVersion: CFString = "ProgramVersion"
public let kCGImagePropertyIPTCObjectCycle: CFString = "ObjectCycle"
public let kCGImagePropertyIPTCByline: CFString = "Byline"
public let kCGImagePropertyIPTCBylineTitle: CFString = "BylineTitle"
public let kCGImagePropertyIPTCCity: CFString = "City"
public let kCGImagePropertyIPTCSubLocation: CFString = "SubLocation"
public let kCGImagePropertyIPTCProvinceState: CFString = "Province/State"
public let kCGImagePropertyIPTCCountryPrimaryLocationCode: CFString = "Country/PrimaryLocationCode"
public let kCGImagePropertyIPTCCountryPrimaryLocationName: CFString = "Country/PrimaryLocationName"
public let kCGImagePropertyIPTCOriginalTransmissionReference: CFString = "OriginalTransmissionReference"
public let kCGImagePropertyIPTCHeadline: CFString = "Headline"
public let kCGImagePropertyIPTCCredit: CFString = "Credit"
public let kCGImagePropertyIPTCSource: CFString = "Source"
public let kCGImagePropertyIPTCCopyrightNotice: CFString = "CopyrightNotice"
public let kCGImagePropertyIPTCContact: CFString = "Contact"
public let kCGImagePropertyIPTCCaptionAbstract: CFString = "Caption/Abstract"
public let kCGImagePropertyIPTCWriterEditor: CFString = "Writer/Editor"
public let kCGImagePropertyIPTCImageType: CFString = "ImageType"
public let kCGImagePropertyIPTCImageOrientation: CFString = "ImageOrientation"
public let kCGImagePropertyIPTCLanguageIdentifier: CFString = "LanguageIdentifier"
/// A rating from 1 to 5.
public let kCGImagePropertyIPTCStarRating: CFString = "StarRating"

/// The dictionaries' keys by the tag numbers in files.
enum PropertyKeys {
  static let tiff: [Int: CFString] = [
    0x0103: kCGImagePropertyTIFFCompression,
    0x0106: kCGImagePropertyTIFFPhotometricInterpretation,
    0x010D: kCGImagePropertyTIFFDocumentName,
    0x010E: kCGImagePropertyTIFFImageDescription,
    0x010F: kCGImagePropertyTIFFMake,
    0x0110: kCGImagePropertyTIFFModel,
    0x0112: kCGImagePropertyTIFFOrientation,
    0x011A: kCGImagePropertyTIFFXResolution,
    0x011B: kCGImagePropertyTIFFYResolution,
    0x0128: kCGImagePropertyTIFFResolutionUnit,
    0x012D: kCGImagePropertyTIFFTransferFunction,
    0x0131: kCGImagePropertyTIFFSoftware,
    0x0132: kCGImagePropertyTIFFDateTime,
    0x013B: kCGImagePropertyTIFFArtist,
    0x013C: kCGImagePropertyTIFFHostComputer,
    0x013E: kCGImagePropertyTIFFWhitePoint,
    0x013F: kCGImagePropertyTIFFPrimaryChromaticities,
    0x0142: kCGImagePropertyTIFFTileWidth,
    0x0143: kCGImagePropertyTIFFTileLength,
    0x8298: kCGImagePropertyTIFFCopyright,
  ]

  static let exif: [Int: CFString] = [
    0x829A: kCGImagePropertyExifExposureTime,
    0x829D: kCGImagePropertyExifFNumber,
    0x8822: kCGImagePropertyExifExposureProgram,
    0x8824: kCGImagePropertyExifSpectralSensitivity,
    0x8827: kCGImagePropertyExifISOSpeedRatings,
    0x8828: kCGImagePropertyExifOECF,
    0x8830: kCGImagePropertyExifSensitivityType,
    0x8831: kCGImagePropertyExifStandardOutputSensitivity,
    0x8832: kCGImagePropertyExifRecommendedExposureIndex,
    0x8833: kCGImagePropertyExifISOSpeed,
    0x8834: kCGImagePropertyExifISOSpeedLatitudeyyy,
    0x8835: kCGImagePropertyExifISOSpeedLatitudezzz,
    0x9000: kCGImagePropertyExifVersion,
    0x9003: kCGImagePropertyExifDateTimeOriginal,
    0x9004: kCGImagePropertyExifDateTimeDigitized,
    0x9010: kCGImagePropertyExifOffsetTime,
    0x9011: kCGImagePropertyExifOffsetTimeOriginal,
    0x9012: kCGImagePropertyExifOffsetTimeDigitized,
    0x9101: kCGImagePropertyExifComponentsConfiguration,
    0x9102: kCGImagePropertyExifCompressedBitsPerPixel,
    0x9201: kCGImagePropertyExifShutterSpeedValue,
    0x9202: kCGImagePropertyExifApertureValue,
    0x9203: kCGImagePropertyExifBrightnessValue,
    0x9204: kCGImagePropertyExifExposureBiasValue,
    0x9205: kCGImagePropertyExifMaxApertureValue,
    0x9206: kCGImagePropertyExifSubjectDistance,
    0x9207: kCGImagePropertyExifMeteringMode,
    0x9208: kCGImagePropertyExifLightSource,
    0x9209: kCGImagePropertyExifFlash,
    0x920A: kCGImagePropertyExifFocalLength,
    0x9214: kCGImagePropertyExifSubjectArea,
    0x9286: kCGImagePropertyExifUserComment,
    0x9290: kCGImagePropertyExifSubsecTime,
    0x9291: kCGImagePropertyExifSubsecTimeOriginal,
    0x9292: kCGImagePropertyExifSubsecTimeDigitized,
    0xA000: kCGImagePropertyExifFlashPixVersion,
    0xA001: kCGImagePropertyExifColorSpace,
    0xA002: kCGImagePropertyExifPixelXDimension,
    0xA003: kCGImagePropertyExifPixelYDimension,
    0xA004: kCGImagePropertyExifRelatedSoundFile,
    0xA20B: kCGImagePropertyExifFlashEnergy,
    0xA20C: kCGImagePropertyExifSpatialFrequencyResponse,
    0xA20E: kCGImagePropertyExifFocalPlaneXResolution,
    0xA20F: kCGImagePropertyExifFocalPlaneYResolution,
    0xA210: kCGImagePropertyExifFocalPlaneResolutionUnit,
    0xA214: kCGImagePropertyExifSubjectLocation,
    0xA215: kCGImagePropertyExifExposureIndex,
    0xA217: kCGImagePropertyExifSensingMethod,
    0xA300: kCGImagePropertyExifFileSource,
    0xA301: kCGImagePropertyExifSceneType,
    0xA302: kCGImagePropertyExifCFAPattern,
    0xA401: kCGImagePropertyExifCustomRendered,
    0xA402: kCGImagePropertyExifExposureMode,
    0xA403: kCGImagePropertyExifWhiteBalance,
    0xA404: kCGImagePropertyExifDigitalZoomRatio,
    0xA405: kCGImagePropertyExifFocalLenIn35mmFilm,
    0xA406: kCGImagePropertyExifSceneCaptureType,
    0xA407: kCGImagePropertyExifGainControl,
    0xA408: kCGImagePropertyExifContrast,
    0xA409: kCGImagePropertyExifSaturation,
    0xA40A: kCGImagePropertyExifSharpness,
    0xA40B: kCGImagePropertyExifDeviceSettingDescription,
    0xA40C: kCGImagePropertyExifSubjectDistRange,
    0xA420: kCGImagePropertyExifImageUniqueID,
    0xA430: kCGImagePropertyExifCameraOwnerName,
    0xA431: kCGImagePropertyExifBodySerialNumber,
    0xA432: kCGImagePropertyExifLensSpecification,
    0xA433: kCGImagePropertyExifLensMake,
    0xA434: kCGImagePropertyExifLensModel,
    0xA435: kCGImagePropertyExifLensSerialNumber,
    0xA460: kCGImagePropertyExifCompositeImage,
    0xA461: kCGImagePropertyExifSourceImageNumberOfCompositeImage,
    0xA462: kCGImagePropertyExifSourceExposureTimesOfCompositeImage,
    0xA500: kCGImagePropertyExifGamma,
  ]

  static let gps: [Int: CFString] = [
    0x0000: kCGImagePropertyGPSVersion,
    0x0001: kCGImagePropertyGPSLatitudeRef,
    0x0002: kCGImagePropertyGPSLatitude,
    0x0003: kCGImagePropertyGPSLongitudeRef,
    0x0004: kCGImagePropertyGPSLongitude,
    0x0005: kCGImagePropertyGPSAltitudeRef,
    0x0006: kCGImagePropertyGPSAltitude,
    0x0007: kCGImagePropertyGPSTimeStamp,
    0x0008: kCGImagePropertyGPSSatellites,
    0x0009: kCGImagePropertyGPSStatus,
    0x000A: kCGImagePropertyGPSMeasureMode,
    0x000B: kCGImagePropertyGPSDOP,
    0x000C: kCGImagePropertyGPSSpeedRef,
    0x000D: kCGImagePropertyGPSSpeed,
    0x000E: kCGImagePropertyGPSTrackRef,
    0x000F: kCGImagePropertyGPSTrack,
    0x0010: kCGImagePropertyGPSImgDirectionRef,
    0x0011: kCGImagePropertyGPSImgDirection,
    0x0012: kCGImagePropertyGPSMapDatum,
    0x0013: kCGImagePropertyGPSDestLatitudeRef,
    0x0014: kCGImagePropertyGPSDestLatitude,
    0x0015: kCGImagePropertyGPSDestLongitudeRef,
    0x0016: kCGImagePropertyGPSDestLongitude,
    0x0017: kCGImagePropertyGPSDestBearingRef,
    0x0018: kCGImagePropertyGPSDestBearing,
    0x0019: kCGImagePropertyGPSDestDistanceRef,
    0x001A: kCGImagePropertyGPSDestDistance,
    0x001B: kCGImagePropertyGPSProcessingMethod,
    0x001C: kCGImagePropertyGPSAreaInformation,
    0x001D: kCGImagePropertyGPSDateStamp,
    0x001E: kCGImagePropertyGPSDifferental,
    0x001F: kCGImagePropertyGPSHPositioningError,
  ]

  static let iptc: [Int: CFString] = [
    3: kCGImagePropertyIPTCObjectTypeReference,
    4: kCGImagePropertyIPTCObjectAttributeReference,
    5: kCGImagePropertyIPTCObjectName,
    7: kCGImagePropertyIPTCEditStatus,
    8: kCGImagePropertyIPTCEditorialUpdate,
    10: kCGImagePropertyIPTCUrgency,
    12: kCGImagePropertyIPTCSubjectReference,
    15: kCGImagePropertyIPTCCategory,
    20: kCGImagePropertyIPTCSupplementalCategory,
    22: kCGImagePropertyIPTCFixtureIdentifier,
    25: kCGImagePropertyIPTCKeywords,
    26: kCGImagePropertyIPTCContentLocationCode,
    27: kCGImagePropertyIPTCContentLocationName,
    30: kCGImagePropertyIPTCReleaseDate,
    35: kCGImagePropertyIPTCReleaseTime,
    37: kCGImagePropertyIPTCExpirationDate,
    38: kCGImagePropertyIPTCExpirationTime,
    40: kCGImagePropertyIPTCSpecialInstructions,
    42: kCGImagePropertyIPTCActionAdvised,
    45: kCGImagePropertyIPTCReferenceService,
    47: kCGImagePropertyIPTCReferenceDate,
    50: kCGImagePropertyIPTCReferenceNumber,
    55: kCGImagePropertyIPTCDateCreated,
    60: kCGImagePropertyIPTCTimeCreated,
    62: kCGImagePropertyIPTCDigitalCreationDate,
    63: kCGImagePropertyIPTCDigitalCreationTime,
    65: kCGImagePropertyIPTCOriginatingProgram,
    70: kCGImagePropertyIPTCProgramVersion,
    75: kCGImagePropertyIPTCObjectCycle,
    80: kCGImagePropertyIPTCByline,
    85: kCGImagePropertyIPTCBylineTitle,
    90: kCGImagePropertyIPTCCity,
    92: kCGImagePropertyIPTCSubLocation,
    95: kCGImagePropertyIPTCProvinceState,
    100: kCGImagePropertyIPTCCountryPrimaryLocationCode,
    101: kCGImagePropertyIPTCCountryPrimaryLocationName,
    103: kCGImagePropertyIPTCOriginalTransmissionReference,
    105: kCGImagePropertyIPTCHeadline,
    110: kCGImagePropertyIPTCCredit,
    115: kCGImagePropertyIPTCSource,
    116: kCGImagePropertyIPTCCopyrightNotice,
    118: kCGImagePropertyIPTCContact,
    120: kCGImagePropertyIPTCCaptionAbstract,
    122: kCGImagePropertyIPTCWriterEditor,
    130: kCGImagePropertyIPTCImageType,
    131: kCGImagePropertyIPTCImageOrientation,
    135: kCGImagePropertyIPTCLanguageIdentifier,
  ]
}
