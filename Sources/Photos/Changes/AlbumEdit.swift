import Foundation

/// One step of a change to an album or a folder, as it was requested. Indexes refer to the list
/// after the previous step.
enum AlbumStep {
  case append([Member])
  case remove([Member])
  /// Inserts members. The indexes are those after the insertion.
  case insert([Member], at: IndexSet)
  case removeAt(IndexSet)
  case replace(at: IndexSet, with: [Member])
  /// Moves members. `to` is an index in the list without them.
  case move(at: IndexSet, to: Int)

  /// Whether the step needs the current list.
  var usesIndexes: Bool {
    switch self {
    case .append, .remove: false
    case .insert, .removeAt, .replace, .move: true
    }
  }
}

/// One change of an album in terms of members instead of indexes, so that it can be applied even if
/// the album has changed since it was fetched.
enum AlbumEdit {
  case append([Member])
  /// Places members after the last of `predecessors` that is still in the album, or at the
  /// beginning if none is. Empty places of the draft are `nil`.
  case place([Member], predecessors: ArraySlice<Member?>)
  case remove([Member])
}

/// An asset or a collection, stored or created by the same block.
enum Member: Hashable {
  case row(Int64)
  case created(uuid: String)

  /// Makes a member from an object or a placeholder; `nil` for anything else. An object of another
  /// library is looked up by its identifier, and not found.
  init?<Wanted: PHObject>(_ object: Any, _ type: Wanted.Type) {
    guard let object = object as? PHObject, object is Wanted || object is PHObjectPlaceholder else { return nil }
    self =
      object.rowID != 0 && object.isOf(.current)
      ? .row(object.rowID) : .created(uuid: PHObject.uuid(localIdentifier: object.localIdentifier))
  }

  /// Makes the members of a request. Traps with `rule` if an object is of another type.
  static func all<Wanted: PHObject>(
    _ objects: any NSFastEnumeration, as type: Wanted.Type, rule: String
  ) -> [Member] {
    objects.fastEnumerationObjects().map { object in
      guard let member = Member(object, type) else {
        preconditionFailure("\(rule), not a \(Swift.type(of: object))")
      }
      return member
    }
  }

  /// Returns the members of a result that was fetched before.
  static func all<Object: PHObject>(_ result: PHFetchResult<Object>) -> [Member] {
    if result.fetched.library?.engine.uuid == PHPhotoLibrary.current?.engine.uuid {
      return result.fetched.ids.map(Member.row)
    }
    return (0..<result.count).compactMap { Member(result.object(at: $0), PHObject.self) }
  }
}

/// The steps of one request for an album or a folder.
///
/// A request that was made with a fetch result checks each index at once: a wrong one is a
/// programming error and traps. Without a fetch result, indexes refer to the list at the time of
/// the commit, and a wrong one fails the commit.
struct AlbumSteps {
  private let container: String
  private let content: String
  private var steps: [AlbumStep] = []
  /// `nil` if the request was made without a fetch result.
  private var draft: AlbumDraft?

  /// The nouns are for messages: an `album` of `assets`, a `folder` of `collections`.
  init(of members: [Member]?, _ container: String, of content: String) {
    self.container = container
    self.content = content
    draft = members.map(AlbumDraft.init)
  }

  var isEmpty: Bool { steps.isEmpty }

  mutating func add(_ step: AlbumStep) {
    if case .insert(let new, let indexes) = step { checkCounts(new, indexes) }
    if case .replace(let indexes, let new) = step { checkCounts(new, indexes) }
    do throws(IndexBeyondEnd) { try draft?.apply(step) } catch { preconditionFailure(message(error)) }
    steps.append(step)
  }

  private func checkCounts(_ new: [Member], _ indexes: IndexSet) {
    precondition(new.count == indexes.count, "there are \(new.count) \(content) for \(indexes.count) indexes")
  }

  /// Returns the edits. `current` reads the list after the changes before this request, and is
  /// called only if needed.
  func edits(current: () throws -> [Member]) throws -> [AlbumEdit] {
    if let draft { return draft.edits }
    var draft = AlbumDraft(steps.contains(where: \.usesIndexes) ? try current() : [])
    do throws(IndexBeyondEnd) { for step in steps { try draft.apply(step) } } catch {
      throw PHPhotosError(.changeNotSupported, message(error))
    }
    return draft.edits
  }

  private func message(_ error: IndexBeyondEnd) -> String {
    "index \(error.index) is beyond the end of the \(container), which has \(error.count) \(content)"
  }
}

/// An index beyond the end, with the number of members.
struct IndexBeyondEnd: Error {
  let index: Int
  let count: Int
}

/// The list as it is after the steps so far, to which the indexes of the next step refer.
///
/// A member that moves leaves an empty place, `nil`. Indexes count it until a step removes it: an
/// app moves an asset by inserting it and then removing the index where it was.
struct AlbumDraft {
  private(set) var members: [Member?]
  private(set) var edits: [AlbumEdit] = []

  init(_ members: [Member]) { self.members = members }

  mutating func apply(_ step: AlbumStep) throws(IndexBeyondEnd) {
    switch step {
    case .append(let new): append(new)
    case .remove(let gone): remove(gone)
    case .insert(let new, let indexes):
      try check(indexes, below: members.count + new.count)
      insert(new, at: Array(indexes))
    case .removeAt(let indexes):
      try check(indexes, below: members.count)
      let gone = take(at: indexes)
      edits.append(.remove(gone.compactMap(\.self)))
    case .replace(let indexes, let new):
      try check(indexes, below: members.count)
      replace(at: Array(indexes), with: new)
    case .move(let indexes, let index):
      try check(indexes, below: members.count)
      let rest = members.count - indexes.count
      guard (0...rest).contains(index) else { throw IndexBeyondEnd(index: index, count: rest) }
      move(at: indexes, to: index)
    }
  }

  private func check(_ indexes: IndexSet, below end: Int) throws(IndexBeyondEnd) {
    if let last = indexes.last, last >= end { throw IndexBeyondEnd(index: last, count: members.count) }
  }

  private mutating func append(_ new: [Member]) {
    var present = Set(members)
    for member in new where present.insert(member).inserted { members.append(member) }
    edits.append(.append(new))
  }

  private mutating func remove(_ gone: [Member]) {
    let set = Set(gone)
    members.removeAll { $0.map(set.contains) ?? false }
    edits.append(.remove(gone))
  }

  private mutating func insert(_ new: [Member], at indexes: [Int]) {
    for (member, index) in zip(new, indexes) {
      vacate(member)
      members.insert(member, at: index)
    }
    placeMembers(at: indexes)
  }

  private mutating func replace(at indexes: [Int], with new: [Member]) {
    let former = indexes.compactMap { members[$0] }
    for (member, index) in zip(new, indexes) {
      vacate(member)
      members[index] = member
    }
    // A member may have changed places with another one. The removal comes first, because an asset
    // that was just made can also be a member under its row.
    let kept = Set(new)
    edits.append(.remove(former.filter { !kept.contains($0) }))
    placeMembers(at: indexes)
  }

  private mutating func move(at indexes: IndexSet, to index: Int) {
    let moved = take(at: indexes)
    edits.append(.place(moved.compactMap(\.self), predecessors: members[..<index]))
    members.insert(contentsOf: moved, at: index)
  }

  private mutating func vacate(_ member: Member) {
    if let index = members.firstIndex(of: member) { members[index] = nil }
  }

  /// Adds an edit for each member at these indexes. The indexes ascend: members before each one are
  /// placed already.
  private mutating func placeMembers(at indexes: [Int]) {
    for index in indexes {
      guard let member = members[index] else { continue }
      edits.append(.place([member], predecessors: members[..<index]))
    }
  }

  private mutating func take(at indexes: IndexSet) -> [Member?] {
    let taken = indexes.map { members[$0] }
    members = members.enumerated().filter { !indexes.contains($0.offset) }.map(\.element)
    return taken
  }
}
