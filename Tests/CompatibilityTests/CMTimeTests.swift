import CoreMedia
import Testing

@Suite struct CMTimeTests {
  @Test(arguments: [
    (CMTime(value: 1, timescale: 2), CMTime(value: 1, timescale: 3), CMTime(value: 5, timescale: 6)),
    (CMTime(value: 1001, timescale: 30_000), CMTime(value: 1, timescale: 1), CMTime(value: 31_001, timescale: 30_000)),
    (CMTime(value: -3, timescale: 4), CMTime(value: 1, timescale: 2), CMTime(value: -1, timescale: 4)),
    (.positiveInfinity, CMTime(value: 1, timescale: 1), .positiveInfinity),
    (.negativeInfinity, CMTime(value: 1, timescale: 1), .negativeInfinity),
    (.positiveInfinity, .negativeInfinity, .invalid),
    (.indefinite, CMTime(value: 1, timescale: 1), .indefinite),
    (.invalid, .indefinite, .invalid),
    (CMTime(value: .max, timescale: 1), CMTime(value: 1, timescale: 1), .positiveInfinity),
  ])
  func `times are added`(a: CMTime, b: CMTime, sum: CMTime) {
    #expect(a + b == sum)
    #expect(!(a + b).hasBeenRounded)
    if a.isNumeric, sum.isNumeric { #expect(sum - b == a) }
  }

  @Test func `a sum that no timescale can hold is rounded, and says so`() {
    // Both timescales are prime. The second time is 71,582,788.6 ticks of the first timescale.
    let sum = CMTime(value: 0, timescale: 2_147_483_647) + CMTime(value: 71_582_788, timescale: 2_147_483_629)
    #expect(sum.value == 71_582_789 && sum.timescale == 2_147_483_647)
    #expect(sum.hasBeenRounded)
  }

  @Test func `times are ordered by their worth`() {
    let times: [CMTime] = [
      .negativeInfinity, CMTime(value: -1, timescale: 600), .zero, CMTime(value: 1, timescale: 3),
      CMTime(value: 34, timescale: 100), .indefinite, .positiveInfinity, .invalid,
    ]
    #expect(times.reversed().sorted() == times)
  }

  @Test func `equal times have equal hashes`() {
    let (half, alike) = (CMTime(value: 300, timescale: 600), CMTime(value: 1, timescale: 2))
    #expect(half == alike)
    #expect(Set([half, alike]).count == 1)
  }

  @Test func `seconds become the nearest time`() {
    let time = CMTime(seconds: 1.0015, preferredTimescale: 600)
    #expect(time.value == 601 && time.hasBeenRounded)
    #expect(!CMTime(seconds: 1.5, preferredTimescale: 600).hasBeenRounded)
    #expect(CMTime(seconds: 1e300, preferredTimescale: 600) == .positiveInfinity)
    #expect(CMTime(seconds: .nan, preferredTimescale: 600) == .invalid)
    #expect(CMTimeGetSeconds(CMTimeMake(value: 3, timescale: 2)) == 1.5)
    #expect(CMTime.invalid.seconds.isNaN)
  }

  @Test func `a range has its start and not its end`() {
    let range = CMTimeRange(start: CMTime(value: 1, timescale: 1), end: CMTime(value: 5, timescale: 2))
    #expect(range.duration == CMTime(value: 3, timescale: 2))
    #expect(range.containsTime(CMTime(value: 1, timescale: 1)))
    #expect(!range.containsTime(CMTime(value: 5, timescale: 2)))
    #expect(!CMTimeRange.invalid.containsTime(.zero))
  }

  @Test func `a range made by CoreMedia's functions is the same`() {
    let (start, end) = (CMTime(value: 1, timescale: 2), CMTime(value: 5, timescale: 2))
    let range = CMTimeRangeMake(start: start, duration: CMTime(value: 2, timescale: 1))
    #expect(range == CMTimeRangeFromTimeToTime(start: start, end: end))
    #expect(CMTimeRangeGetEnd(range) == end)
    #expect(CMTimeRangeContainsTime(range, time: start) && !CMTimeRangeContainsTime(range, time: end))
  }

  @Test func `an empty mapping has a target alone`() {
    let range = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 2))
    let empty = CMTimeMappingMakeEmpty(target: range)
    #expect(empty.target == range && !empty.source.isValid)
    #expect(CMTimeMappingMake(source: range, target: range) == CMTimeMapping(source: range, target: range))
    #expect(CMTimeMapping() == .invalid)
  }
}
