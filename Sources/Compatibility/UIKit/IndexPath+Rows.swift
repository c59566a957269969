import Foundation

extension IndexPath {
  /// A row of a table's section.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// An item of a collection's section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// The first index. The path must have two.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// The second index. The path must have two.
  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The second index. The path must have two.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
