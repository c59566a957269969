/// One of the steps in which a request changes an album, in terms of its assets and not of their places: so it can be done though the
/// album has changed since it was fetched.
enum AlbumEdit {
  case append([Member])
  /// Behind the last of `predecessors` that is still in the album; at its beginning where none is.
  case place([Member], predecessors: ArraySlice<Member>)
  case remove([Member])
}

/// An asset or a collection, or one that the same block creates.
enum Member: Hashable {
  case row(Int64)
  case created(uuid: String)

  /// `nil` for what is neither one nor a placeholder. One of another library is looked for by its identifier, and not found.
  init?<Wanted: PHObject>(_ object: Any, _ type: Wanted.Type) {
    guard let object = object as? PHObject, object is Wanted || object is PHObjectPlaceholder else { return nil }
    self =
      object.rowID != 0 && object.isOf(.current)
      ? .row(object.rowID) : .created(uuid: PHObject.uuid(localIdentifier: object.localIdentifier))
  }

  /// Those of a result that was fetched before.
  static func all<Object: PHObject>(_ result: PHFetchResult<Object>) -> [Member] {
    if result.fetched.library?.engine.uuid == PHPhotoLibrary.current?.engine.uuid {
      return result.fetched.ids.map(Member.row)
    }
    return (0..<result.count).compactMap { Member(result.object(at: $0), PHObject.self) }
  }
}

/// An album as its request sees it while steps are added: what the indexes of the next step count.
struct AlbumDraft {
  private(set) var members: [Member]
  private(set) var edits: [AlbumEdit] = []

  init(_ members: [Member]) { self.members = members }

  mutating func append(_ new: [Member]) {
    let present = Set(members)
    members += new.filter { !present.contains($0) }
    edits.append(.append(new))
  }

  mutating func remove(_ gone: [Member]) {
    let set = Set(gone)
    members.removeAll(where: set.contains)
    edits.append(.remove(gone))
  }

  /// Each to be found at its index afterwards.
  mutating func insert(_ new: [Member], at indexes: [Int]) {
    for (member, index) in zip(new, indexes) {
      edits.append(.place([member], predecessors: members[..<index]))
      members.insert(member, at: index)
    }
  }

  mutating func replace(at indexes: [Int], with new: [Member]) {
    for (member, index) in zip(new, indexes) {
      edits.append(.place([member], predecessors: members[..<index]))
      if members[index] != member { edits.append(.remove([members[index]])) }
      members[index] = member
    }
  }

  /// `index` is counted after the moved ones were taken out.
  mutating func move(at indexes: [Int], to index: Int) {
    let moved = indexes.map { members[$0] }
    for index in indexes.reversed() { members.remove(at: index) }
    edits.append(.place(moved, predecessors: members[..<index]))
    members.insert(contentsOf: moved, at: index)
  }
}
