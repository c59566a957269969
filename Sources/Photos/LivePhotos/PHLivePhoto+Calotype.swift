import Foundation
import UIKit

extension PHLivePhoto {
  /// The still in the requested size.
  public var stillImage: UIImage { still }

  /// Seconds from the movie's beginning to the instant of the still; `nil` if the movie's metadata
  /// doesn't state it.
  public var stillTime: TimeInterval? { secondsToStill }
}
