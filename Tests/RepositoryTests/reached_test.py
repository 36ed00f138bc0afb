"""What scripts/reached.py finds, on a small program of two files."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import reached  # noqa: E402

MAIN = b"""import Bikes

/// Begins.
func main() {
  let bike = Bike(wheels: 2)
  print(bike.turned(by: 90))
}
"""
LIBRARY = b"""/// Has wheels.
public struct Bike: Rolling {
  /// How many.
  public var wheels: Int
  private var course = 0

  public init(wheels: Int) { self.wheels = wheels }

  public func turned(by degrees: Int) -> Int { scaled(course + degrees) }

  public func painted(in colour: String) -> String { "a bike in \\(colour)" }

  var isCargo: Bool {
    wheels > 2
  }
}

public protocol Rolling {
  func roll()
}

extension Rolling {
  public func roll() { squeak() }
  public func brake() { squeak() }
}

private func scaled(_ angle: Int) -> Int { angle % 360 }
func squeak() { print("squeak") }

struct Car {
  func turned(by degrees: Int) -> Int { degrees }
}

extension Int {
  var halved: Int { self / 2 }
}
"""


def find(library, main=MAIN):
    return reached.reached({"main.swift"}, {"main.swift": main, "library.swift": library})


def code(found):
    return sorted(reached.code(piece) for pieces in found.values() for piece in pieces)


class ReachedTest(unittest.TestCase):
    def text(self, main=MAIN):
        return b"\n".join(find(LIBRARY, main)["library.swift"])

    def test_what_is_named_is_reached_and_what_that_names(self):
        for name in (b"struct Bike", b"var wheels", b"init(wheels", b"func turned", b"func scaled", b"protocol Rolling"):
            self.assertIn(name, self.text())

    def test_what_nobody_names_is_not_reached(self):
        for name in (b"painted", b"isCargo", b"brake", b"squeak", b"Car", b"halved"):
            self.assertNotIn(name, self.text())

    def test_a_member_is_reached_by_its_name_and_that_of_its_type(self):
        self.assertIn(b"isCargo", self.text(MAIN + b"let cargo = isCargo"))
        self.assertIn(b"squeak", self.text(MAIN + b"let end: () = brake()"))
        self.assertIn(b"struct Car", self.text(MAIN + b"let car = Car()"))
        self.assertIn(b"halved", self.text(MAIN + b"let half = 2.halved"))

    def test_comments_and_what_is_not_reached_change_nothing(self):
        changed = LIBRARY.replace(b"/// Has wheels.", b"/// Rolls.").replace(b"a bike in", b"painted").replace(b"self / 2", b"self >> 1")
        self.assertEqual(find(LIBRARY), find(changed))

    def test_code_that_is_reached_changes_what_is_found(self):
        for before, after in ((b"% 360", b"% 180"), (b"course = 0", b"course = 1"), (b"self.wheels = wheels", b"self.wheels = 1")):
            self.assertNotEqual(code(find(LIBRARY)), code(find(LIBRARY.replace(before, after))))

    def test_words_access_and_places_are_text_and_no_code(self):
        main = MAIN + b"let sound: () = squeak()"
        words = LIBRARY.replace(b'"squeak"', b'"creak"')
        self.assertNotEqual(find(LIBRARY, main), find(words, main))
        self.assertEqual(code(find(LIBRARY, main)), code(find(words, main)))
        moved = LIBRARY.replace(b"private func scaled(_ angle: Int) -> Int { angle % 360 }\n", b"") + b"\npackage func scaled(_ angle: Int) -> Int { angle % 360 }\n"
        self.assertEqual(code(find(LIBRARY)), code(find(moved)))


unittest.main()
