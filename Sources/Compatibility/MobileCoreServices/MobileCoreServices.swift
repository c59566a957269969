// The name that CoreServices has on iOS.

@_exported import CoreServices
