// CoreServices under its name on iOS.

@_exported import CoreServices
