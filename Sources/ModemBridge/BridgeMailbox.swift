import LinuxDevices
import ModemSimulation

/// What the threads of the bridge tell its owner.
enum BridgeNews: Sendable {
  /// An answer that is done.
  case reply(NetworkReply)
  /// The addresses of a name, for a socket that waits for them.
  case addresses(id: Int, [SocketAddress], NetworkFailure?)
  /// The broker has what libmosquitto gave that number.
  case mqttDone(id: Int, number: Int32)
}

/// News from the bridge's threads to the one that polls.
typealias BridgeMailbox = Mailbox<BridgeNews>

extension Mailbox where News == BridgeNews {
  /// Puts an answer in, from any thread.
  func post(_ reply: NetworkReply) { post(.reply(reply)) }
}
