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

/// The result of one of Apple's C functions: 0 if it succeeded.
public typealias OSStatus = Int32
public let noErr: OSStatus = 0

// Keys of `Bundle.infoDictionary`. A program without an Info.plist has no values for them.
// CoreFoundation uses this spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let kCFBundleNameKey: CFString! = "CFBundleName"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let kCFBundleVersionKey: CFString! = "CFBundleVersion"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let kCFBundleExecutableKey: CFString! = "CFBundleExecutable"

/// Calls `body` and returns its result. It drains nothing, since only Apple's platforms have
/// autoreleased objects.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
