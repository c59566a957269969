import Foundation
extension MediaType { public static func detect(in file: MediaFile) throws(ImagingError) -> MediaType? { nil } }
extension MediaMetadata { public init(of file: MediaFile, machineTimeZone: TimeZone = .current) throws(ImagingError) { throw ImagingError(.unknownType, file.name, reason: "stub") } }
public func makeRenditions(of file: MediaFile, metadata: MediaMetadata, kinds: Set<RenditionKind>) throws(ImagingError) -> RenditionSet { throw ImagingError(.unknownType, file.name, reason: "stub") }
public func isPlayable(_ file: MediaFile, metadata: MediaMetadata) throws(ImagingError) -> Bool { true }
public func makePlayableMovie(of file: MediaFile, range: Range<Int>?, to destination: URL, progress: (@Sendable (Double) -> Void)?) throws(ImagingError) {}
