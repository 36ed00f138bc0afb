/// The members that a packet may have in the form `json`, by their names with dots between levels: `alert.detector`.
package enum PacketMembers {
  /// All of them.
  package static let names = Set(FieldTables.leashNames)
}
