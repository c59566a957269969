/// The answer to a search.
enum SearchBody {
  static func text(
    _ search: SearchQuery, _ listed: ListedAssets, days: [DayCount], cells: [GridCell],
    suggestions: [SearchSuggestion]
  ) -> JSONText {
    var text = JSONText(capacity: 500 + cells.count * GridCell.bytes)
    text.raw(#"{"revision":"#)
    text.string(listed.revision)
    text.raw(#","total":"#)
    text.number(listed.count)
    text.raw(#","understood":"#)
    text.array(search.understood) { text, term in
      text.raw(#"{"kind":"#)
      text.string(term.kind.rawValue)
      text.raw(#","text":"#)
      text.string(term.text)
      text.raw("}")
    }
    text.raw(#","days":"#)
    DaysBody.write(days, to: &text)
    text.raw(#","assets":"#)
    text.array(cells) { text, cell in cell.write(to: &text) }
    text.raw(#","suggestions":"#)
    text.array(suggestions) { text, suggestion in
      text.raw(#"{"kind":"#)
      text.string(suggestion.kind)
      text.raw(#","title":"#)
      text.string(suggestion.title)
      text.raw(#","id":"#)
      text.string(suggestion.id)
      text.raw("}")
    }
    text.raw("}")
    return text
  }
}
