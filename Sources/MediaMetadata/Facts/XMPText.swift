/// Writes XMP: the frame of a packet and escaped text.
///
///     let packet = XMPText.packet([XMPText.property("dc:title", XMPText.language("Fjord"))])
public enum XMPText {
  /// The attribute of a packet's first element that names the writing program.
  public static let signature = "x:xmptk=\"Calotype\""

  /// Returns a whole packet with properties, each of them one element.
  package static func packet(_ properties: [String]) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" \(signature)>
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    \(description(properties)) </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """
  }

  /// Returns the content of a packet's RDF element.
  package static func description(_ properties: [String]) -> String {
    """
      <rdf:Description rdf:about=""
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/">

    """ + properties.map { "   \($0)\n" }.joined() + "  </rdf:Description>\n"
  }

  package static func property(_ name: String, _ value: String) -> String { "<\(name)>\(value)</\(name)>" }

  /// Returns an `Alt` list of one text in the default language.
  package static func language(_ text: String) -> String {
    list("Alt", ["<rdf:li xml:lang=\"x-default\">\(escaped(text))</rdf:li>"])
  }

  package static func bag(_ texts: [String]) -> String { list("Bag", texts.map { "<rdf:li>\(escaped($0))</rdf:li>" }) }

  private static func list(_ kind: String, _ items: [String]) -> String {
    "<rdf:\(kind)>\(items.joined())</rdf:\(kind)>"
  }

  /// Escapes a text for XML. Characters that XML 1.0 can't represent are left out.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
