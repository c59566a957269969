import Foundation

// The names by which Apple's C functions call Foundation's values, as in `CGImageSourceCreateWithData(data as CFData, nil)`.

public typealias CFData = Data
public typealias CFMutableData = NSMutableData
public typealias CFURL = URL
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFNull = NSNull

/// The value of options that turn something off: `CIContext(options: [.workingColorSpace: kCFNull!])`.
// CoreFoundation spells it so.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let kCFNull: CFNull! = NSNull()

/// Calls `body` and returns its result. There are no autoreleased objects off Apple's platforms, so that nothing is drained.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
