import Foundation
import HTTPTypes
import NIOHTTP1
import Photos
import Testing

@testable import PhotosServer

@Suite struct ProblemTests {
  @Test(arguments: [
    (PHPhotosError.accessUserDenied, 403, "access-user-denied", 3311),
    (.accessRestricted, 403, "access-restricted", 3310), (.userCancelled, 403, "user-cancelled", 3072),
    (.persistentChangeTokenExpired, 410, "persistent-change-token-expired", 3105),
    (.persistentChangeDetailsUnavailable, 409, "persistent-change-details-unavailable", 3210),
    (.identifierNotFound, 404, "not-found", 3201), (.invalidResource, 422, "invalid", 3302),
    (.notEnoughSpace, 507, "insufficient-storage", 3305), (.libraryVolumeOffline, 503, "unavailable", 3114),
    (.relinquishingLibraryBundleToWriter, 503, "unavailable", 3142), (.internalError, 500, "internal", -1),
  ])
  func `an error of the library keeps PhotoKit's code`(
    code: PHPhotosError.Code, status: Int, problem: String, number: Int
  ) {
    let failure = Failure(PHPhotosError(code, userInfo: [NSLocalizedDescriptionKey: "a reason"]))
    #expect(failure.status.code == status)
    #expect(failure.problem.type == "urn:calotype:problem:\(problem)")
    #expect(failure.code?.rawValue == number)
    #expect(failure.message == "a reason")
  }

  @Test func `a request that is not HTTP is a bad request`() {
    #expect(Failure(HTTPParserError.invalidChunkSize).status == .badRequest)
  }

  @Test func `each kind of problem has a title of its own`() {
    let titles = Failure.Problem.allCases.map(\.title)
    #expect(Set(titles).count == titles.count)
  }
}
