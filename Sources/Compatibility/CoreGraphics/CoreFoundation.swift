import Foundation

// The CoreFoundation names of Foundation's types, as code for Apple's C functions uses them:
// `CGImageSourceCreateWithData(data as CFData, nil)`.

public typealias CFData = Data
public typealias CFMutableData = NSMutableData
public typealias CFURL = URL
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFNull = NSNull

/// Turns an option off: `CIContext(options: [.workingColorSpace: kCFNull!])`.
// CoreFoundation uses this spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let kCFNull: CFNull! = NSNull()

/// Calls `body` and returns its result. It drains nothing, since only Apple's platforms have
/// autoreleased objects.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
