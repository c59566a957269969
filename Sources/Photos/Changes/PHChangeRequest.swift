import Foundation

/// A change that a change block asks for; made inside `performChanges` only.
open class PHChangeRequest: NSObject {
  override init() {
    super.init()
    guard let collector = ChangeCollector.current else {
      preconditionFailure("\(type(of: self)) can only be made inside a change block of PHPhotoLibrary.performChanges")
    }
    collector.add(self)
  }
}
