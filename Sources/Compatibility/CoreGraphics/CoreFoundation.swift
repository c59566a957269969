import Foundation

// The names by which Apple's C functions call Foundation's values, as in `CGImageSourceCreateWithData(data as CFData, nil)`.

public typealias CFData = Data
public typealias CFMutableData = NSMutableData
public typealias CFURL = URL
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFNull = NSNull

/// The value that turns an option off: `CIContext(options: [.workingColorSpace: kCFNull!])`.
// CoreFoundation spells it so.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let kCFNull: CFNull! = NSNull()

/// Calls `body` and returns its result. Nothing is drained: only Apple's platforms have
/// autoreleased objects.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
