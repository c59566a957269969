/// A filter, found by its name.
///
///     let sepia = CIFilter(name: "CISepiaTone")
///     sepia?.setValue(image, forKey: kCIInputImageKey)
///     sepia?.setValue(0.7, forKey: kCIInputIntensityKey)
///     let brown = sepia?.outputImage
///
/// - `CIFilter.filterNames(inCategories:)` returns the names. `attributes` contains the default and
///   the bounds of each input.
/// - Names, keys, defaults and bounds are Apple's. A number outside an input's bounds is replaced
///   with the nearest allowed one. Setting a key that the filter doesn't have does nothing.
/// - Colors are computed as `Imaging`'s `ColorFilter` defines them. Apple has not published the
///   colors of the photo effects or how it preserves highlights: these are Calotype's definitions.
/// - A filter is not thread-safe while it is set up; any thread may use its output image.
open class CIFilter: NSObject {
  private let definition: FilterDefinition
  private var image: CIImage?
  private var values: [String: Any] = [:]

  /// Returns `nil` for an unknown name. Inputs have their defaults.
  public init?(name: String) {
    guard let definition = FilterDefinition.named(name) else { return nil }
    self.definition = definition
  }

  /// Makes a filter and sets values of its inputs.
  public convenience init?(name: String, parameters: [String: Any]?) {
    self.init(name: name)
    for (key, value) in parameters ?? [:] { setValue(value, forKey: key) }
  }

  /// Apple's name of the filter.
  open var name: String { definition.name }
  /// The keys of the inputs, starting with `inputImage`.
  open var inputKeys: [String] { [kCIInputImageKey] + definition.inputs.map(\.key) }
  /// The keys of the outputs: only `outputImage`.
  open var outputKeys: [String] { [kCIOutputImageKey] }

  /// Sets an input. `nil` restores the input's default.
  open func setValue(_ value: Any?, forKey key: String) {
    if key == kCIInputImageKey {
      image = value as? CIImage
    } else if definition.inputs.contains(where: { $0.key == key }) {
      values[key] = value
    }
  }

  /// Returns the value of an input, or its default; for `outputImage`, the result. Returns `nil`
  /// for a key that the filter doesn't have.
  open func value(forKey key: String) -> Any? {
    switch key {
    case kCIInputImageKey: image
    case kCIOutputImageKey: outputImage
    default: values[key] ?? definition.inputs.first { $0.key == key }?.defaultValue
    }
  }

  /// Restores the defaults of all inputs except the image.
  open func setDefaults() { values = [:] }

  /// The filtered image, or `nil` without an input image.
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

  /// Returns the names of the filters in a category, in alphabetical order. `nil` matches all
  /// filters.
  public class func filterNames(inCategory category: String?) -> [String] {
    filterNames(inCategories: category.map { [$0] })
  }

  /// Returns the names of the filters that are in all of the categories, in alphabetical order.
  public class func filterNames(inCategories categories: [String]?) -> [String] {
    FilterDefinition.all.filter { definition in (categories ?? []).allSatisfy(definition.categories.contains) }
      .map(\.name).sorted()
  }
}

extension CIImage {
  /// Returns the filtered image, or the image itself if the filter is unknown.
  public func applyingFilter(_ filterName: String, parameters: [String: Any]) -> CIImage {
    guard let filter = CIFilter(name: filterName, parameters: parameters) else { return self }
    filter.setValue(self, forKey: kCIInputImageKey)
    return filter.outputImage ?? self
  }

  /// Applies a filter with its defaults.
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
