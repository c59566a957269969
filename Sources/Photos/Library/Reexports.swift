// As Apple's module does, this one brings in the modules whose types its signatures mention: code that imports `Photos` alone
// may say `CLLocation`, `UIImage`, `AVAsset`, `UTType` and `CGSize`.

@_exported import AVFoundation
@_exported import CoreImage
@_exported import CoreLocation
@_exported import CoreMedia
@_exported import Foundation
@_exported import ImageIO
@_exported import UIKit
@_exported import UniformTypeIdentifiers
