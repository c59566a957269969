// The names by which Apple's C functions call Foundation's values, as in `CGImageSourceCreateWithData(data as CFData, nil)`.

public typealias CFData = Data
public typealias CFURL = URL
public typealias CFString = String
public typealias CFDictionary = [String: Any]
