import Foundation
internal import LibraryStore

/// A browser in which a person is signed in at the library's server.
package struct BrowserSession: Hashable, Sendable {
  var record: BrowserSessionRecord

  package enum Kind: Sendable {
    case ownBrowser
    case sharedComputer
    case unencrypted
  }

  init(_ record: BrowserSessionRecord) { self.record = record }

  package init(
    id: String, tokenHash: Data, person: Int64, kind: Kind, date: Date, address: String, device: String
  ) {
    record = BrowserSessionRecord(
      id: id, tokenHash: tokenHash, person: person, kind: .init(kind), date: date, address: address, device: device)
  }

  /// The public name of the session. It is no secret.
  package var id: String { record.id }
  /// The SHA-256 of the token in the browser's cookie.
  package var tokenHash: Data { record.tokenHash }
  package var person: Int64 { record.person }
  package var kind: Kind { Kind(record.kind) }
  package var creationDate: Date { record.creationDate }
  /// The date of the last password or owner link.
  package var authenticationDate: Date { record.authenticationDate }
  package var seenDate: Date { record.seenDate }
  package var address: String { record.address }
  /// The browser and its system, in words.
  package var device: String { record.device }

  /// Notes a use. `SignIns.setSeen` records it.
  package mutating func setSeen(_ date: Date, from address: String) {
    (record.seenDate, record.address) = (date, address)
  }

  /// Returns whether the session began in the future. It was made while the clock was wrong, and
  /// would end much too late.
  package func isFromFuture(at now: Date) -> Bool { creationDate > now + SignInRecords.clockTolerance }
}

extension BrowserSession.Kind {
  fileprivate init(_ kind: BrowserSessionRecord.Kind) {
    self =
      switch kind {
      case .ownBrowser: .ownBrowser
      case .sharedComputer: .sharedComputer
      case .unencrypted: .unencrypted
      }
  }
}

extension BrowserSessionRecord.Kind {
  fileprivate init(_ kind: BrowserSession.Kind) {
    self =
      switch kind {
      case .ownBrowser: .ownBrowser
      case .sharedComputer: .sharedComputer
      case .unencrypted: .unencrypted
      }
  }
}
