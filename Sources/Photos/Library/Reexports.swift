// As Apple's module does, this one exports the modules whose types its signatures mention. A
// program that imports `Photos` alone may use `CLLocation`, `UIImage`, `AVAsset`, `UTType` and
// `CGSize`.

@_exported import AVFoundation
@_exported import CoreImage
@_exported import CoreLocation
@_exported import CoreMedia
@_exported import Foundation
@_exported import ImageIO
@_exported import UIKit
@_exported import UniformTypeIdentifiers
