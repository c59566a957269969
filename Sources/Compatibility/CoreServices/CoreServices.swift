// CoreServices' names of uniform types, in its spelling. They are the predecessors of `UTType` and
// use the same list.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import Foundation
internal import UniformTypeIdentifiers

/// A value that one of Apple's C functions returns; `takeRetainedValue()` unwraps it.
public struct UnmanagedValue<Value> {
  private let value: Value

  init(_ value: Value) { self.value = value }

  public func takeRetainedValue() -> Value { value }
  public func takeUnretainedValue() -> Value { value }
}

public let kUTTypeItem = "public.item"
public let kUTTypeContent = "public.content"
public let kUTTypeData = "public.data"
public let kUTTypeImage = "public.image"
public let kUTTypeJPEG = "public.jpeg"
public let kUTTypePNG = "public.png"
public let kUTTypeGIF = "com.compuserve.gif"
public let kUTTypeTIFF = "public.tiff"
public let kUTTypeBMP = "com.microsoft.bmp"
public let kUTTypeRawImage = "public.camera-raw-image"
public let kUTTypeLivePhoto = "com.apple.live-photo"
public let kUTTypeAudiovisualContent = "public.audiovisual-content"
public let kUTTypeMovie = "public.movie"
public let kUTTypeVideo = "public.video"
public let kUTTypeAudio = "public.audio"
public let kUTTypeQuickTimeMovie = "com.apple.quicktime-movie"
public let kUTTypeMPEG4 = "public.mpeg-4"
public let kUTTypeAVIMovie = "public.avi"
public let kUTTypeMP3 = "public.mp3"
public let kUTTypeMPEG4Audio = "public.mpeg-4-audio"
public let kUTTypeText = "public.text"
public let kUTTypePlainText = "public.plain-text"
public let kUTTypeUTF8PlainText = "public.utf8-plain-text"
public let kUTTypePDF = "com.adobe.pdf"
public let kUTTypeURL = "public.url"
public let kUTTypeFileURL = "public.file-url"
public let kUTTypeFolder = "public.folder"

public let kUTTagClassFilenameExtension = "public.filename-extension"
public let kUTTagClassMIMEType = "public.mime-type"

/// Returns whether a type is the same as another one or conforms to it.
public func UTTypeConformsTo(_ inUTI: String, _ inConformsToUTI: String) -> Bool {
  if inUTI == inConformsToUTI { return true }
  guard let type = UTType(inUTI), let kind = UTType(inConformsToUTI) else { return false }
  return type.conforms(to: kind)
}

public func UTTypeEqual(_ inUTI1: String, _ inUTI2: String) -> Bool { inUTI1 == inUTI2 }

/// Returns the type of a filename extension or a MIME type. Returns `nil` if it isn't listed, and
/// for other classes of tags.
///
///     UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, "heic", nil)?.takeRetainedValue()
public func UTTypeCreatePreferredIdentifierForTag(
  _ inTagClass: String, _ inTag: String, _ inConformingToUTI: String?
) -> UnmanagedValue<String>? {
  let kind = inConformingToUTI.flatMap { UTType($0) } ?? .data
  let type: UTType? =
    switch inTagClass {
    case kUTTagClassFilenameExtension: UTType(filenameExtension: inTag, conformingTo: kind)
    case kUTTagClassMIMEType: UTType(mimeType: inTag, conformingTo: kind)
    default: nil
    }
  return type.map { UnmanagedValue($0.identifier) }
}

/// Returns a type's filename extension or MIME type. Returns `nil` if the type isn't listed, and
/// for other classes of tags.
public func UTTypeCopyPreferredTagWithClass(_ inUTI: String, _ inTagClass: String) -> UnmanagedValue<String>? {
  let type = UTType(inUTI)
  switch inTagClass {
  case kUTTagClassFilenameExtension: return type?.preferredFilenameExtension.map(UnmanagedValue.init)
  case kUTTagClassMIMEType: return type?.preferredMIMEType.map(UnmanagedValue.init)
  default: return nil
  }
}

/// Returns the English name of a type, or `nil` if the type isn't listed.
public func UTTypeCopyDescription(_ inUTI: String) -> UnmanagedValue<String>? {
  UTType(inUTI)?.localizedDescription.map(UnmanagedValue.init)
}
