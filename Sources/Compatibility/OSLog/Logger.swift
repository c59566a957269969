@_exported import Foundation
private import Logging

/// Writes messages to swift-log. A program chooses the log handler; by default they go to standard
/// error.
///
///     let logger = Logger(subsystem: "org.example.gallery", category: "import")
///     logger.error("\(url, privacy: .public): \(error)")
///
/// The label is `subsystem.category`. Values that are marked private or sensitive are written as
/// `<private>`. All other values, including texts, are written as they are.
public struct Logger: Sendable {
  private let logger: Logging.Logger

  public init(subsystem: String, category: String) {
    logger = Logging.Logger(label: "\(subsystem).\(category)")
  }

  public init(_ log: OSLog) { self.init(subsystem: log.subsystem, category: log.category) }

  public init() { logger = Logging.Logger(label: ProcessInfo.processInfo.processName) }

  public func log(_ message: OSLogMessage) { log(level: .default, message) }

  public func log(level: OSLogType, _ message: OSLogMessage) {
    logger.log(level: level.level, "\(message.text)")
  }

  public func trace(_ message: OSLogMessage) { logger.trace("\(message.text)") }
  public func debug(_ message: OSLogMessage) { logger.debug("\(message.text)") }
  public func info(_ message: OSLogMessage) { logger.info("\(message.text)") }
  public func notice(_ message: OSLogMessage) { logger.notice("\(message.text)") }
  public func warning(_ message: OSLogMessage) { logger.warning("\(message.text)") }
  public func error(_ message: OSLogMessage) { logger.error("\(message.text)") }
  public func critical(_ message: OSLogMessage) { logger.critical("\(message.text)") }
  public func fault(_ message: OSLogMessage) { logger.critical("\(message.text)") }
}

/// The severity of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let `default` = OSLogType(rawValue: 0)
  public static let info = OSLogType(rawValue: 1)
  public static let debug = OSLogType(rawValue: 2)
  public static let error = OSLogType(rawValue: 16)
  public static let fault = OSLogType(rawValue: 17)

  fileprivate var level: Logging.Logger.Level {
    switch self {
    case .info: .info
    case .debug: .debug
    case .error: .error
    case .fault: .critical
    default: .notice
    }
  }
}

/// The part of a program that messages come from.
public final class OSLog: NSObject, Sendable {
  let subsystem: String
  let category: String

  public init(subsystem: String, category: String) {
    self.subsystem = subsystem
    self.category = category
  }

  public static let `default` = OSLog(subsystem: ProcessInfo.processInfo.processName, category: "default")
}

// The module os uses this spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// Writes a message; formats with `%` are left out.
public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
  Logger(log).log(level: type, message)
}
