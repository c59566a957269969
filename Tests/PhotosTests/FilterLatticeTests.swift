import CoreImage
import ImageCoding
import Testing

@testable import Photos

@Suite struct FilterLatticeTests {
  @Test(arguments: PhotoEdit.Filter.allCases)
  func `the lattice of a filter has the filtered colors, with blue the fastest`(filter: PhotoEdit.Filter) throws {
    let lattice = try filter.lattice()
    #expect(lattice.count == 33 * 33 * 33 * 3)
    for (red, green, blue) in [(0, 0, 0), (32, 0, 0), (0, 32, 0), (0, 0, 32), (32, 32, 32), (7, 20, 31)] {
      let color = [red, green, blue].map { UInt8((Double($0) * 255 / 32).rounded()) }
      let pixel = CIImage(pixels: PixelBuffer(width: 1, height: 1, channels: 3, bytes: color))
      let start = ((red * 33 + green) * 33 + blue) * 3
      #expect(try Array(lattice[start..<start + 3]) == pixel.applyingFilter(filter.coreImageName).render().pixels.bytes)
    }
  }

  @Test func `sepia keeps black, and takes blue from white`() throws {
    let lattice = try PhotoEdit.Filter.sepia.lattice()
    #expect(lattice.prefix(3) == [0, 0, 0])
    #expect(lattice.suffix(3) == [255, 255, 239])
  }
}
