import Foundation
import Synchronization

/// A value that a thread of its own computes, while other processes start.
///
///     let size = BackgroundValue { asset.naturalSize }
///     …
///     use(size.value)
package final class BackgroundValue<Value: Sendable>: Sendable {
  private let compute: @Sendable () -> Value
  private let computed = Mutex<Value?>(nil)
  private let ended = DispatchGroup()

  package init(_ compute: @escaping @Sendable () -> Value) {
    self.compute = compute
    ended.enter()
    let thread = Thread { [self] in
      let value = compute()
      computed.withLock { $0 = value }
      ended.leave()
    }
    thread.start()
  }

  /// The value. Waits for it.
  package var value: Value {
    ended.wait()
    return computed.withLock(\.self) ?? compute()
  }
}
