// The types in the signatures of `Imaging`.
@_exported import ImageCoding
@_exported import MediaMetadata
