import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

@Suite struct ProgressMeterTests {
  @Test func theTimeIsAShareOfTheDuration() {
    var meter = ProgressMeter(duration: 10)
    #expect(meter.read(Array("frame=1\nout_time_us=2500000\nspe".utf8)[...]) == 0.25)
    #expect(meter.read(Array("ed=2x\n".utf8)[...]) == nil)
  }

  @Test func aLineWithoutEndIsNotKept() {
    var meter = ProgressMeter(duration: 10)
    for _ in 0..<100 { #expect(meter.read([UInt8](repeating: 0x41, count: 1000)[...]) == nil) }
    #expect(meter.line.count == ProgressMeter.longestLine)
    #expect(meter.read(Array("\nout_time_us=5000000\n".utf8)[...]) == 0.5)
    #expect(meter.line.isEmpty)
  }
}
