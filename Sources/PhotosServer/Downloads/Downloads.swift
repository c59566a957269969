import Foundation
import Photos
import Synchronization

/// The downloads that were asked for, by their tickets. A ticket is a secret, and only the session
/// or the client that asked for it can use it. Tickets end with the server.
final class Downloads: Sendable {
  struct Ticket: Sendable {
    var holder: String
    var archive: Archive
    var expirationDate: Date
  }

  private let clock: @Sendable () -> Date
  private let random: RandomBytes
  private let tickets = Mutex<[Data: Ticket]>([:])

  static let lifetime: TimeInterval = 3600
  /// The number of files in a download.
  static let largestCount = 100_000
  /// The number of files of all tickets together, which limits their memory.
  private static let largestTotal = 200_000
  /// The number of tickets of one session or client.
  static let largestCountOfHolder = 50

  init(clock: @escaping @Sendable () -> Date, random: RandomBytes) {
    self.clock = clock
    self.random = random
  }

  /// Makes a ticket. If its holder has too many, the oldest of them ends. If there are too many
  /// files in all, tickets of the holder with the most files end first.
  func makeTicket(for archive: Archive, holder: String) -> (text: String, expirationDate: Date) {
    let secret = Secret(random)
    let now = clock()
    let ticket = Ticket(holder: holder, archive: archive, expirationDate: now + Self.lifetime)
    tickets.withLock { tickets in
      tickets = tickets.filter { now < $0.value.expirationDate }
      let own = tickets.filter { $0.value.holder == holder }
      if own.count >= Self.largestCountOfHolder,
        let oldest = own.min(by: { $0.value.expirationDate < $1.value.expirationDate })
      {
        tickets[oldest.key] = nil
      }
      var counts = tickets.values.reduce(into: [holder: archive.layout.entries.count]) {
        $0[$1.holder, default: 0] += $1.archive.layout.entries.count
      }
      func isEnding(_ one: Ticket, before other: Ticket) -> Bool {
        let (count, otherCount) = (counts[one.holder] ?? 0, counts[other.holder] ?? 0)
        return count == otherCount ? one.expirationDate < other.expirationDate : count > otherCount
      }
      while counts.values.reduce(0, +) > Self.largestTotal,
        let next = tickets.min(by: { isEnding($0.value, before: $1.value) })
      {
        tickets[next.key] = nil
        counts[next.value.holder, default: 0] -= next.value.archive.layout.entries.count
      }
      tickets[secret.hash] = ticket
    }
    return (secret.text, ticket.expirationDate)
  }

  /// Returns the archive of a ticket. Throws 404 for the ticket of another holder, too.
  func archive(ticket: Substring, holder: String) throws -> Archive {
    let found = tickets.withLock { $0[Secret.hash(of: ticket)] }
    guard let found, found.holder == holder, clock() < found.expirationDate else {
      throw Failure(.notFound, "there is no such download, or it is older than an hour")
    }
    return found.archive
  }
}
