import Foundation
import ImageCoding
import MediaMetadata
import Sandbox

// The types in messages, part by part. A new property needs a line here: without it, a worker's
// answer lacks the property, and `WorkerEqualityTests` fail.

extension MediaMetadata: MessagePart {
  package static var blank: MediaMetadata { MediaMetadata(type: .jpeg, captureDate: .blank) }

  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&type)
    coder.part(&pixelWidth)
    coder.part(&pixelHeight)
    coder.part(&orientation)
    coder.part(&duration)
    coder.part(&captureDate)
    coder.part(&location)
    coder.part(&subtypes)
    coder.part(&contentIdentifier)
    coder.part(&stillTime)
    coder.part(&burstIdentifier)
    coder.part(&camera)
    coder.part(&isSelfie)
    coder.part(&title)
    coder.part(&caption)
    coder.part(&keywords)
    coder.part(&placeNames)
    coder.part(&rating)
    coder.part(&motionVideo)
    coder.part(&notes)
  }
}

extension PictureProperties: MessagePart {
  package static var blank: PictureProperties { PictureProperties() }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&entries)
    coder.part(&depth)
    coder.part(&colorCount)
    coder.part(&hasAlpha)
    coder.part(&profileName)
  }
}

extension PictureProperties.Entry: MessagePart {
  package static var blank: Self { Self(.tiff, 0, .blank) }
  package mutating func code(with coder: inout MessageCoder) {
    group.codeRawValue(with: &coder)
    coder.part(&number)
    coder.part(&value)
  }
}

extension PictureProperties.Value: MessagePart {
  package static var blank: Self { .integers([]) }
  package mutating func code(with coder: inout MessageCoder) {
    guard coder.isReading else {
      switch self {
      case .integers(let values): coder.put(0 as UInt8, values)
      case .numbers(let values): coder.put(1 as UInt8, values)
      case .text(let text): coder.put(2 as UInt8, text)
      case .data(let bytes): coder.put(3 as UInt8, bytes)
      }
      return
    }
    switch coder.get() as UInt8 {
    case 0: self = .integers(coder.get())
    case 1: self = .numbers(coder.get())
    case 2: self = .text(coder.get())
    case 3: self = .data(coder.get())
    default: coder.fail()
    }
  }
}

extension MediaType: MessagePart {
  package static var blank: MediaType { .jpeg }
  package mutating func code(with coder: inout MessageCoder) {
    kind.codeRawValue(with: &coder)
    coder.part(&uniformTypeIdentifier)
    coder.part(&preferredFilenameExtension)
    coder.part(&isRaw)
  }
}

extension CaptureDate: MessagePart {
  package static var blank: CaptureDate { CaptureDate(date: .blank, offset: 0, source: .file, zoneSource: .utc) }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&date)
    coder.part(&offset)
    source.codeRawValue(with: &coder)
    zoneSource.codeRawValue(with: &coder)
    precision.codeRawValue(with: &coder)
  }
}

extension Location: MessagePart {
  package static var blank: Location { Location(latitude: 0, longitude: 0) }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&latitude)
    coder.part(&longitude)
    coder.part(&altitude)
  }
}

extension MediaSubtypes: MessagePart {
  package static var blank: MediaSubtypes { [] }
  package mutating func code(with coder: inout MessageCoder) {
    var bits = UInt64(rawValue)
    coder.part(&bits)
    self = MediaSubtypes(rawValue: UInt(bits))
  }
}

extension MetadataChanges: MessagePart {
  package static var blank: MetadataChanges { [] }
  package mutating func code(with coder: inout MessageCoder) {
    var bits = rawValue
    coder.part(&bits)
    self = MetadataChanges(rawValue: bits)
  }
}

extension Camera: MessagePart {
  package static var blank: Camera { Camera() }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&make)
    coder.part(&model)
    coder.part(&lens)
    coder.part(&software)
    coder.part(&exposureTime)
    coder.part(&fNumber)
    coder.part(&iso)
    coder.part(&focalLength)
  }
}

extension MotionVideo: MessagePart {
  package static var blank: MotionVideo { MotionVideo(offset: 0, byteCount: 0) }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&offset)
    coder.part(&byteCount)
  }
}

extension DecodingLimits: MessagePart {
  package static var blank: DecodingLimits { .standard }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&pixels)
    coder.part(&seconds)
  }
}

extension PictureRequest: MessagePart {
  package static var blank: PictureRequest { PictureRequest(.whole) }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&size)
    coder.part(&part)
    coder.part(&isExact)
  }
}

extension PictureRequest.Size: MessagePart {
  package static var blank: PictureRequest.Size { .whole }
  package mutating func code(with coder: inout MessageCoder) {
    guard coder.isReading else {
      switch self {
      case .whole: coder.put(0 as UInt8)
      case .fitting(let width, let height): coder.put(1 as UInt8, width, height)
      case .filling(let width, let height): coder.put(2 as UInt8, width, height)
      }
      return
    }
    switch coder.get() as UInt8 {
    case 0: self = .whole
    case 1: self = .fitting(width: coder.get(), height: coder.get())
    case 2: self = .filling(width: coder.get(), height: coder.get())
    default: coder.fail()
    }
  }
}

extension UnitRect: MessagePart {
  package static var blank: UnitRect { .whole }
  package mutating func code(with coder: inout MessageCoder) {
    guard coder.isReading else { return coder.put(x, y, width, height) }
    self = UnitRect(uncheckedX: coder.get(), y: coder.get(), width: coder.get(), height: coder.get())
  }
}

extension Turn: MessagePart {
  package static var blank: Turn { .none }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&isMirrored)
    coder.part(&quarterTurns)
  }
}

extension Set: MessagePart where Element == RenditionKind {
  package static var blank: Set<RenditionKind> { [] }
  package mutating func code(with coder: inout MessageCoder) {
    var names = map(\.rawValue)
    coder.part(&names)
    guard coder.isReading else { return }
    self = Set(names.compactMap(RenditionKind.init))
    if count != names.count { coder.fail() }
  }
}

extension PixelSize: MessagePart {
  package static var blank: PixelSize { PixelSize(width: 0, height: 0) }
  package mutating func code(with coder: inout MessageCoder) {
    coder.part(&width)
    coder.part(&height)
  }
}
