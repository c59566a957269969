import Testing

@testable import PhotosUI

@Suite struct SelectionTests {
  private func selection(_ limit: Int, _ preselected: [String] = []) -> PickerSelection {
    PickerSelection(limit: limit, preselected: preselected)
  }

  @Test("R-06: without a limit everything can be selected") func unlimited() {
    var selection = selection(0)
    for number in 0..<300 { _ = selection.select("\(number)") }
    #expect(selection.identifiers.count == 300)
    #expect(selection.canAdd)
  }

  @Test("R-07: nothing is selected beyond the limit, and nothing is deselected") func limited() {
    var selection = selection(3)
    let changes = ["A", "B", "C", "D"].map { selection.select($0) }
    #expect(changes == [true, true, true, false])
    #expect(selection.identifiers == ["A", "B", "C"])
  }

  @Test("R-05: with a limit of one, the next item replaces the one before") func one() {
    var selection = selection(1)
    let changes = ["A", "B"].map { selection.select($0) }
    #expect(changes == [true, true])
    #expect(selection.identifiers == ["B"])
  }

  @Test("An item is selected once") func once() {
    var selection = selection(0)
    let changes = ["A", "A"].map { selection.select($0) }
    #expect(changes == [true, false])
  }

  @Test("R-11: Add is disabled until no more are selected than the limit") func tooMany() {
    var selection = selection(3, ["A", "B", "C", "D"])
    #expect(!selection.canAdd)
    let isChanged = selection.deselect(["A"])
    #expect(isChanged)
    #expect(selection.canAdd)
  }

  @Test("R-11: Add stays enabled after everything preselected was deselected") func emptied() {
    var selection = selection(0, ["A"])
    let isChanged = selection.deselect(["A"])
    #expect(isChanged)
    #expect(selection.canAdd)
    #expect(!self.selection(0).canAdd)
  }

  @Test(
    "R-21: a selected asset moves behind another one, or to the front",
    arguments: [
      ("C", "A", ["A", "C", "B"]), ("A", "C", ["B", "C", "A"]), ("A", "B", ["B", "A", "C"]),
      ("C", nil, ["C", "A", "B"]),
      ("A", "A", ["A", "B", "C"]), ("X", "A", ["A", "B", "C"]), ("A", "X", ["A", "B", "C"]),
      ("X", nil, ["A", "B", "C"]),
    ] as [(String, String?, [String])])
  func moving(moved: String, other: String?, expected: [String]) {
    var selection = selection(0, ["A", "B", "C"])
    selection.move(moved, after: other)
    #expect(selection.identifiers == expected)
  }
}
