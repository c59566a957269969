// UIKit's functions, in its spelling.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// Begins an image with one pixel per point on this thread.
public func UIGraphicsBeginImageContext(_ size: CGSize) { UIGraphicsBeginImageContextWithOptions(size, false, 1) }

/// Begins an image on this thread. A scale of 0 is the screen's. Call `UIGraphicsEndImageContext`
/// once for each image.
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
  DrawnImage.push(
    DrawnImage(
      bounds: CGRect(origin: .zero, size: size), scale: scale > 0 ? scale : UIScreen.main.scale, isOpaque: opaque))
}

/// Returns the current image with everything drawn so far. Returns `nil` if none was begun, and for
/// a size without an area.
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? { DrawnImage.current?.image }

/// Ends the image that was begun last on this thread.
public func UIGraphicsEndImageContext() { DrawnImage.pop() }

/// Fills a rectangle with the color of `setFill()`.
public func UIRectFill(_ rect: CGRect) { DrawnImage.current?.fill(rect) }
