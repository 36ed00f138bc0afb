import JSON5

/// From values to settings and back to rows.
extension ConfigurationReader {
  /// The settings of a section with its values set; what does not fit is noted.
  mutating func fill<Root>(
    _ section: BoundSection<Root>, _ given: [String: GivenValue], label: String, at position: TextPosition,
    into settings: Root? = nil
  ) -> Root {
    var root = settings ?? section.fresh
    for bound in section.bound {
      let name = bound.key.name
      let fullName = label.isEmpty ? name : "\(label).\(name)"
      guard let given = given[name] else {
        if bound.key.isRequired && !present.contains(fullName) {
          note("'\(fullName)' is missing, expected \(bound.key.type.expectation)", at: position)
        }
        continue
      }
      guard let expectation = bound.set(&root, given.value) else { continue }
      // An address may hold a password; and the place says which value it is.
      note("'\(fullName)': expected \(expectation)", at: given.position)
    }
    return root
  }

  /// What a section holds now, and where each value comes from.
  func rows<Root>(
    _ section: BoundSection<Root>, _ root: Root, _ given: [String: GivenValue], path: [String]
  ) -> [ConfigurationRow] {
    section.bound.map { bound in
      let given = given[bound.key.name]
      var value = bound.get(root)
      // Where a secret stands is known only here.
      switch given?.value {
      case .secret?, .secrets?: value = given?.value
      default: break
      }
      let parts = bound.key.name.split(separator: ".").map(String.init)
      return ConfigurationRow(path: path + parts, value: value, origin: given?.origin ?? .standard)
    }
  }

  /// The word that says which kind of object it is; nil after a problem was noted.
  mutating func kind(
    of members: [JSON5Member], path: String, label: String, at position: TextPosition
  ) -> (word: String, given: GivenValue?)? {
    let kinds = ConfigurationSchema.kinds(of: path).compactMap(\.selector)
    guard let key = kinds.first?.key else { return nil }
    let words = kinds.map(\.word)
    let expectation = "one of " + words.map(quoted).joined(separator: ", ")
    guard let member = members.first(where: { $0.key == key }) else {
      note("'\(label).\(key)' is missing, expected \(expectation)", at: position)
      return nil
    }
    guard case .string(let word) = member.value.content, words.contains(word) else {
      var suggestion: String?
      if case .string(let word) = member.value.content { suggestion = nearestName(to: word, among: words) }
      note(
        "'\(label).\(key)': found \(found(member.value)), expected \(expectation)" + didYouMean(suggestion),
        at: member.value.position)
      return nil
    }
    let given = GivenValue(
      value: .text(word), origin: .file(line: member.position.line), position: member.value.position)
    return (word, given)
  }

  /// The values of an object of one kind among several.
  mutating func values(
    of members: [JSON5Member], kind word: String, path: String, label: String
  ) -> [String: GivenValue] {
    let kinds = ConfigurationSchema.kinds(of: path)
    guard let section = kinds.first(where: { $0.selector?.word == word }), let selector = section.selector else {
      return [:]
    }
    let strangers = kinds.flatMap { kind in
      kind.keys.map { (name: $0.name, selector: "\(selector.key): \(quoted(kind.selector?.word ?? ""))") }
    }
    return values(
      of: members, keys: section.keys, label: label, others: [selector.key], strangers: strangers)
  }
}
