import ArgumentParser
import Foundation
import Photos

/// The steps of an edit, given as options.
struct EditSteps: ParsableArguments {
  @Option(help: ArgumentHelp("A filter, or none.", valueName: "name")) var filter: FilterName?
  @Option(
    help: ArgumentHelp(
      "The part to keep, from the upper left corner, in fractions of the picture’s width and height; or none.",
      valueName: "x,y,width,height"))
  var crop: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Turn by a small angle, -45 to 45 degrees clockwise, and cut off empty corners. --flip reverses the angle.",
      valueName: "degrees"))
  var straighten: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Turn the picture as it is shown clockwise, by 90, 180, 270 or -90.", valueName: "degrees"))
  var rotate: Int?
  @Option(help: ArgumentHelp("Mirror the picture as it is shown, before --rotate.", valueName: "axis")) var flip:
    PhotoEdit.Axis?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The light, from -5 to 5; 1 doubles it.", valueName: "stops"))
  var exposure: Double?
  @Option(parsing: .unconditional, help: ArgumentHelp("From -1 to 1.", valueName: "amount")) var contrast: Double?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("From -1 (gray) to 1 (twice as colorful).", valueName: "amount"))
  var saturation: Double?
  @Option(parsing: .unconditional, help: ArgumentHelp("From -1 (bluer) to 1 (yellower).", valueName: "amount"))
  var warmth: Double?

  func validate() throws {
    let isEmpty =
      filter == nil && crop == nil && straighten == nil && rotate == nil && flip == nil && exposure == nil
      && contrast == nil && saturation == nil && warmth == nil
    if isEmpty { throw ValidationError("nothing to do: give --filter, --crop, --rotate, … (`calotype help edit`)") }
    if let crop, crop != Self.none, Self.parse(crop) == nil {
      throw ValidationError(
        "--crop takes none, or four fractions of a part inside the picture, such as 0,0.1,1,0.8, not \(crop)"
      )
    }
    if let rotate, rotate % 90 != 0 {
      throw ValidationError("--rotate takes a multiple of 90, not \(rotate); --straighten takes small angles")
    }
    let amount = PhotoEdit.amountRange
    for (name, value, range) in [
      ("straighten", straighten, PhotoEdit.straightenRange), ("exposure", exposure, PhotoEdit.exposureRange),
      ("contrast", contrast, amount), ("saturation", saturation, amount), ("warmth", warmth, amount),
    ] {
      guard let value, !range.contains(value) else { continue }
      throw ValidationError(
        String(
          format: "--%@ takes a number from %g to %g, not %g", name, range.lowerBound, range.upperBound, value))
    }
  }

  private static let none = "none"

  private static func parse(_ text: String) -> PhotoEdit.Crop? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
    guard numbers.count == 4, text.filter({ $0 == "," }).count == 3 else { return nil }
    let crop = PhotoEdit.Crop(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    return crop.isInsideThePicture ? crop : nil
  }

  /// The steps as a value that can be passed to another thread.
  var steps: Steps {
    Steps(
      filter: filter, crop: crop.map { .some(Self.parse($0)) } ?? nil, straighten: straighten, rotate: rotate,
      flip: flip, exposure: exposure, contrast: contrast, saturation: saturation, warmth: warmth)
  }

  struct Steps: Sendable {
    var filter: FilterName?
    var crop: PhotoEdit.Crop??
    var straighten: Double?
    var rotate: Int?
    var flip: PhotoEdit.Axis?
    var exposure: Double?
    var contrast: Double?
    var saturation: Double?
    var warmth: Double?

    func apply(to edit: inout PhotoEdit) {
      if let filter { edit.filter = filter.filter }
      if let crop { edit.crop = crop }
      if let straighten { edit.straighten = straighten }
      if let exposure { edit.exposure = exposure }
      if let contrast { edit.contrast = contrast }
      if let saturation { edit.saturation = saturation }
      if let warmth { edit.warmth = warmth }
      // Last, since the crop is in the picture as it is shown now, and turns with it.
      if let flip { edit.flip(flip) }
      if let rotate { edit.turn(byQuarters: rotate / 90) }
    }
  }
}

/// The name of a filter, or `none`.
struct FilterName: ExpressibleByArgument, Sendable {
  var filter: PhotoEdit.Filter?

  init?(argument: String) {
    filter = PhotoEdit.Filter(rawValue: argument)
    if filter == nil, argument != "none" { return nil }
  }

  static let allValueStrings = ["none"] + PhotoEdit.Filter.allCases.map(\.rawValue)
  var defaultValueDescription: String { filter?.rawValue ?? "none" }
}

extension PhotoEdit.Axis: ExpressibleByArgument {}
