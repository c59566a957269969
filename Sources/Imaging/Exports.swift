// The types in Imaging's own signatures.
@_exported import ImageCoding
@_exported import MediaMetadata

@_exported import enum Sandbox.WorkDemand
