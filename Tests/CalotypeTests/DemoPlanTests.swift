import Foundation
import PhotosTesting
import Testing

@testable import calotype

@Suite struct DemoPlanTests {
  static let now = Date(timeIntervalSince1970: 1_763_700_000)
  let plan = DemoPlan(seed: 1, now: now)

  private func count(_ matches: (DemoItem) -> Bool) -> Int { plan.items.count(where: matches) }

  @Test func holdsEveryKind() {
    let assets = plan.items.reduce(0) { $0 + $1.kind.assetCount }
    #expect((190...220).contains(assets))
    #expect(count { $0.kind == .live } == 12)
    #expect(count { $0.kind == .movie } == 10)
    #expect(count { $0.kind == .screenshot } == 12)
    #expect(count { $0.kind == .burst(count: 6) } == 1)
    #expect(count { $0.kind == .panorama } == 2)
    #expect(count { $0.kind == .rawAndJPEG } == 3)
    #expect(count { $0.kind == .gif } == 2)
    for kind in [DemoItem.Kind.motionPhoto, .truncated, .png, .webP] { #expect(count { $0.kind == kind } == 1) }
    #expect(count { $0.kind == .heic } > 4)
    #expect(count { $0.metadata.isHDR } == 4)
    #expect(count { $0.metadata.customRendered == 8 } == 3)
  }

  @Test func spreadsOverTwelveYearsUpToNow() throws {
    let dates = plan.items.map(\.date.timeIntervalSince1970)
    let day = 86_400.0
    let (oldest, newest) = (try #require(dates.min()), try #require(dates.max()))
    #expect(Self.now.timeIntervalSince1970 - oldest > 4300 * day)
    #expect(newest < Self.now.timeIntervalSince1970)
    #expect(newest > Self.now.timeIntervalSince1970 - 4 * day)
  }

  @Test func namesAreUnique() {
    #expect(Set(plan.items.map(\.path)).count == plan.items.count)
  }

  @Test func theSameSeedAndDateGiveTheSamePlan() {
    let again = DemoPlan(seed: 1, now: Self.now)
    #expect(again.items.map(\.path) == plan.items.map(\.path))
    #expect(again.items.map(\.metadata) == plan.items.map(\.metadata))
    #expect(again.items.map(\.seed) == plan.items.map(\.seed))
  }
}
