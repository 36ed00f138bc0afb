/// The rings, at a fixed place, as interrupts know nothing else.
///
/// Such a variable is made when it is used first. That must not be in an interrupt: it is asked whether it is empty before the ports
/// are opened.
nonisolated(unsafe) var rings = PortRings()

/// Called by the board's interrupts for each byte.
func received(_ byte: UInt8, on port: LinePort) { rings.put(byte, on: port, at: Clock.microseconds) }
