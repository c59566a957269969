import Foundation
import Photos
import Testing

@Suite struct PhotosErrorTests {
  private func fail() throws { throw PHPhotosError(.accessUserDenied) }

  @Test func aThrownErrorIsCaughtAsAnNSError() {
    do { try fail() } catch let error as NSError {
      #expect(error.domain == PHPhotosErrorDomain && error.code == 3311)
    }
  }

  @Test func anErrorInAnInfoIsAnNSError() {
    let info: [AnyHashable: Any] = [PHImageErrorKey: PHPhotosError(.networkAccessRequired)]
    #expect((info[PHImageErrorKey] as? NSError)?.code == 3164)
  }

  @Test func anNSErrorOfTheDomainIsAPhotosError() {
    let error: any Error = NSError(domain: PHPhotosErrorDomain, code: 3300)
    #expect((error as? PHPhotosError)?.code == .changeNotSupported)
    let bare = NSError(domain: PHPhotosErrorDomain, code: 3300)
    #expect((bare as? PHPhotosError)?.code == .changeNotSupported)
  }

  @Test func anNSErrorOfAnotherDomainIsNone() {
    let other = NSError(domain: NSCocoaErrorDomain, code: 3300)
    #expect(other as? PHPhotosError == nil)
  }
}
