/// One step of a recipe, by its name.
///
///     let sepia = CIFilter(name: "CISepiaTone")
///     sepia?.setValue(image, forKey: kCIInputImageKey)
///     sepia?.setValue(0.7, forKey: kCIInputIntensityKey)
///     let brown = sepia?.outputImage
///
/// - `CIFilter.filterNames(inCategories:)` tells the names; `attributes` each input's default and bounds.
/// - Names, keys, defaults and bounds are Apple's. Numbers outside of an input's bounds are taken to its nearest one. A key that the
///   filter doesn't have changes nothing.
/// - Colours are computed as `Imaging`'s `ColorFilter` defines them: what Apple hasn't published of its own (the photo effects' colours,
///   how highlights are kept) is Calotype's definition.
/// - A filter is set up by one thread; the image that it gives may go anywhere.
open class CIFilter: NSObject {
  private let definition: FilterDefinition
  private var image: CIImage?
  private var values: [String: Any] = [:]

  /// `nil` for a name that isn't known. Inputs have their defaults.
  public init?(name: String) {
    guard let definition = FilterDefinition.named(name) else { return nil }
    self.definition = definition
  }

  /// The same, with values for its inputs.
  public convenience init?(name: String, parameters: [String: Any]?) {
    self.init(name: name)
    for (key, value) in parameters ?? [:] { setValue(value, forKey: key) }
  }

  /// Apple's name for it.
  open var name: String { definition.name }
  /// `inputImage` first.
  open var inputKeys: [String] { [kCIInputImageKey] + definition.inputs.map(\.key) }
  /// `outputImage`.
  open var outputKeys: [String] { [kCIOutputImageKey] }

  /// `nil` is the input's default.
  open func setValue(_ value: Any?, forKey key: String) {
    if key == kCIInputImageKey {
      image = value as? CIImage
    } else if definition.inputs.contains(where: { $0.key == key }) {
      values[key] = value
    }
  }

  /// What was set, or the input's default; the result for `outputImage`. `nil` for a key that the filter doesn't have.
  open func value(forKey key: String) -> Any? {
    switch key {
    case kCIInputImageKey: image
    case kCIOutputImageKey: outputImage
    default: values[key] ?? definition.inputs.first { $0.key == key }?.defaultValue
    }
  }

  /// Forgets all values but the image.
  open func setDefaults() { values = [:] }

  /// `nil` without an image.
  open var outputImage: CIImage? { image.map { definition.apply($0, FilterValues(values, of: definition)) } }

  /// The filter's name and category, and for each input a dictionary of its default and bounds.
  open var attributes: [String: Any] {
    var result: [String: Any] = [
      kCIAttributeFilterName: name, kCIAttributeFilterCategories: definition.categories,
      kCIInputImageKey: [kCIAttributeClass: "CIImage"],
    ]
    for input in definition.inputs { result[input.key] = input.attributes }
    return result
  }

  /// Of all known filters, those in the category; `nil` is any. In alphabetical order.
  public class func filterNames(inCategory category: String?) -> [String] {
    filterNames(inCategories: category.map { [$0] })
  }

  /// Those in all of the categories.
  public class func filterNames(inCategories categories: [String]?) -> [String] {
    FilterDefinition.all.filter { definition in (categories ?? []).allSatisfy(definition.categories.contains) }
      .map(\.name).sorted()
  }
}

extension CIImage {
  /// The image as a filter makes it; unchanged by a filter that isn't known.
  public func applyingFilter(_ filterName: String, parameters: [String: Any]) -> CIImage {
    guard let filter = CIFilter(name: filterName, parameters: parameters) else { return self }
    filter.setValue(self, forKey: kCIInputImageKey)
    return filter.outputImage ?? self
  }

  /// With the filter's defaults.
  public func applyingFilter(_ filterName: String) -> CIImage { applyingFilter(filterName, parameters: [:]) }
}

public let kCIInputImageKey = "inputImage"
public let kCIOutputImageKey = "outputImage"
public let kCIInputExtentKey = "inputExtent"
public let kCIInputIntensityKey = "inputIntensity"
public let kCIInputSaturationKey = "inputSaturation"
public let kCIInputBrightnessKey = "inputBrightness"
public let kCIInputContrastKey = "inputContrast"
public let kCIInputEVKey = "inputEV"
public let kCIInputAngleKey = "inputAngle"
public let kCIInputTransformKey = "inputTransform"
public let kCIInputAmountKey = "inputAmount"
public let kCIInputScaleKey = "inputScale"
public let kCIInputAspectRatioKey = "inputAspectRatio"

public let kCIAttributeFilterName = "CIAttributeFilterName"
public let kCIAttributeFilterCategories = "CIAttributeFilterCategories"
public let kCIAttributeClass = "CIAttributeClass"
public let kCIAttributeDefault = "CIAttributeDefault"
public let kCIAttributeIdentity = "CIAttributeIdentity"
public let kCIAttributeMin = "CIAttributeMin"
public let kCIAttributeMax = "CIAttributeMax"
public let kCIAttributeSliderMin = "CIAttributeSliderMin"
public let kCIAttributeSliderMax = "CIAttributeSliderMax"

public let kCICategoryColorAdjustment = "CICategoryColorAdjustment"
public let kCICategoryColorEffect = "CICategoryColorEffect"
public let kCICategoryReduction = "CICategoryReduction"
public let kCICategoryGeometryAdjustment = "CICategoryGeometryAdjustment"
public let kCICategoryBuiltIn = "CICategoryBuiltIn"
public let kCICategoryStillImage = "CICategoryStillImage"
public let kCICategoryVideo = "CICategoryVideo"
