// As Apple's module does, this one exports the modules whose types its signatures mention.

@_exported import CoreTransferable
@_exported import Foundation
@_exported import ItemProviding
@_exported import Photos
@_exported import UIKit
@_exported import UniformTypeIdentifiers
