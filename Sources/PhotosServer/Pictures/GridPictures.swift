import HTTPTypes
import NIOCore
import Synchronization

/// The grid's pictures that were asked for lately, by their address, ready to be sent.
///
/// They are of one revision of the library, and are answered with for a moment after that revision was last confirmed: a
/// deleted asset's picture is gone a moment later, and in between nothing asks the library.
final class GridPictures: Sendable {
  private let state: Mutex<State>

  private struct State {
    var revision = ""
    var holdsUntil = NIODeadline.distantPast
    var pictures: LeastRecentlyUsed<String, ReadyPicture>
  }

  /// Several thousand pictures: what a person scrolls through in a few minutes.
  static let memoryForPictures = 64 * 1024 * 1024
  /// So short that nobody sees the difference, so long that a thousand pictures share one look at the library.
  private static let confirmationHolds = TimeAmount.seconds(1)

  init(largestCost: Int = memoryForPictures) {
    state = Mutex(State(pictures: LeastRecentlyUsed(largestCost: largestCost)))
  }

  static func address(id: Substring, version: Substring) -> String { "/renditions/\(id)/\(version)/grid" }

  func picture(at address: String, now: NIODeadline) -> ReadyPicture? {
    state.withLock { now < $0.holdsUntil ? $0.pictures.value(for: address) : nil }
  }

  func answer(at address: String, now: NIODeadline) -> PictureAnswer? { picture(at: address, now: now)?.answer }

  /// Says which revision the library has now.
  func confirm(revision: String, now: NIODeadline) {
    state.withLock { state in
      if state.revision != revision {
        state.revision = revision
        state.pictures.removeAll()
      }
      state.holdsUntil = now + Self.confirmationHolds
    }
  }

  /// `revision`: the library's from before the picture's asset was read.
  func insert(_ answer: PictureAnswer, at address: String, revision: String) {
    let picture = ReadyPicture(answer)
    state.withLock { state in
      guard state.revision == revision else { return }
      state.pictures.insert(picture, for: address, cost: picture.cost)
    }
  }
}

/// A picture's answer as it goes over the wire, after the status line and the date.
struct ReadyPicture: Sendable {
  let answer: PictureAnswer
  /// The other headers, an empty line, and the picture.
  let wire: ByteBuffer

  init(_ answer: PictureAnswer) {
    var head = ""
    for field in answer.fields { head += "\(field.name.rawName): \(field.value)\r\n" }
    head += "\r\n"
    var wire = ByteBufferAllocator().buffer(capacity: head.utf8.count + answer.body.readableBytes)
    wire.writeString(head)
    let start = wire.writerIndex
    wire.writeImmutableBuffer(answer.body)
    // One copy of the picture, for the connections and for the routes.
    let body = wire.getSlice(at: start, length: answer.body.readableBytes)
    self.answer = PictureAnswer(fields: answer.fields, body: body ?? answer.body)
    self.wire = wire
  }

  /// Bytes, roughly.
  var cost: Int { wire.capacity + 512 }
}
