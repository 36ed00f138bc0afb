import LinuxDevices
import Quantities

/// One client of a broker, used by one thread at a time.
///
/// Its owner watches the socket and keeps the time. libmosquitto is behind it, or in tests a broker on virtual time.
package protocol MQTTClient: AnyObject, Sendable {
  /// The library's last words about an error.
  var complaint: String? { get }

  /// Looks up the name and connects, and tells the mailbox: the library's code and Linux's.
  ///
  /// Nothing else may be called until it has told, but `abandon`.
  ///
  /// - Returns: False when the system has no threads left for it.
  func connect(_ settings: MQTTSettings, mailbox: Mailbox<MQTTConnection>) -> Bool

  /// Gives the object up; what is still connecting says goodbye for it.
  ///
  /// - Returns: False while it is connecting: nothing else may be called.
  @discardableResult func abandon() -> Bool

  /// The socket; -1 when there is none.
  var socket: Int32 { get }

  /// True when bytes wait for room in the socket.
  var wantsToWrite: Bool { get }

  /// Takes what was told since the last time.
  func takeEvents() -> [MQTTEvent]

  /// Reads or writes.
  ///
  /// - Returns: libmosquitto's code.
  func process(_ readiness: Readiness) -> Int32

  /// Sends a sign of life when it is time, and looks whether the broker's came.
  func processTime() -> Int32

  /// Publishes; gives libmosquitto's code and number of the message.
  func publish(_ bytes: [UInt8], topic: String, isRetained: Bool) -> (code: Int32, number: Int32)

  /// Asks for messages.
  func subscribe(_ topic: String)

  /// Asks for them no more.
  func unsubscribe(_ topic: String)

  /// Says goodbye, so that the broker does not publish the will.
  ///
  /// - Parameter limit: How long a socket that takes no bytes is waited for, when there are some to be written.
  func disconnect(within limit: Interval)
}

/// What a client tells in a call.
package enum MQTTEvent {
  /// The broker's answer to the connection; 0 is yes.
  case answered(code: Int32)
  /// The broker has the message of that number.
  case acknowledged(Int32)
  /// The broker's answer to the subscription.
  case subscribed(isGranted: Bool)
  /// A message came on a topic.
  case message([UInt8], topic: String, isRetained: Bool)
}

/// What became of a look-up and a connection: libmosquitto's code, and Linux's.
package struct MQTTConnection: Sendable {
  var client: any MQTTClient
  var code: Int32
  var errorNumber: Int32

  /// That of a client.
  package init(_ client: any MQTTClient, code: Int32, errorNumber: Int32) {
    self.client = client
    self.code = code
    self.errorNumber = errorNumber
  }
}
