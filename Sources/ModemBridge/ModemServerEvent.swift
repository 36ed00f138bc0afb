import ModemSimulation

/// Something that a served modem's owner may want to see.
package enum ModemServerEvent: Equatable, Sendable {
  /// A client opened the port.
  case clientCame
  /// The last client closed it.
  case clientLeft
  /// The client set another speed.
  case rateChanged(bitsPerSecond: Int)
  /// STATUS went high or low.
  case power(isOn: Bool)
  /// RI went low: the module has data for its host.
  case ring
  /// A fault was applied.
  case fault(ModemFault)
  /// The modem wants something of the network.
  case request(NetworkRequest)
  /// The network answered.
  case reply(NetworkReply)
  /// A file of `smsFolder` could not be written.
  case notStored(path: String, errorNumber: Int32)
}
