import LinuxDevices
import Uplinks

/// What a board reaches the world through, below all of its own code: a test replaces it, and the rest is the program of `leash run`.
package struct BoardLibraries {
  /// Requests to HTTP servers: libcurl.
  package var http: (HTTPSettings) -> (any HTTPExchange)? = HTTPUplink.curl
  /// The talk with brokers: libmosquitto.
  package var mqtt: (MQTTSettings) -> (any MQTTClient)? = MQTTUplink.mosquitto
  /// Connections to gpsd: libgps.
  package var gpsd: GPSDSensor.Opener = GPSDSensor.libgps
  /// Seeds of the jitter in pauses: the system's chance, so that many trackers do not come back at the same moment.
  package var drawSeed: () -> UInt64 = { UInt64.random(in: 1...UInt64.max) }

  /// Those of the machine.
  package init() {}
}
