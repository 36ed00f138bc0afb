import ASCIIText

/// Where the bytes go.
protocol ByteWriter {
  mutating func write(_ byte: UInt8)
}

func write(_ name: StaticString, _ number: UInt32, to writer: inout some ByteWriter) {
  write(name, to: &writer)
  write(" ", to: &writer)
  write(decimal: number, to: &writer)
  write("\n", to: &writer)
}

func write(_ name: StaticString, hexadecimal number: UInt32, to writer: inout some ByteWriter) {
  write(name, to: &writer)
  var shift: UInt32 = 32
  while shift > 0 {
    shift -= 4
    writer.write(hexadecimalDigit(UInt8(truncatingIfNeeded: number >> shift & 15)))
  }
  write("\n", to: &writer)
}

func write(decimal number: UInt32, to writer: inout some ByteWriter) {
  var power: UInt32 = 1_000_000_000
  while power > 0 {
    if number >= power || power == 1 { writer.write(0x30 + UInt8(truncatingIfNeeded: number / power % 10)) }
    power /= 10
  }
}

func write(_ text: StaticString, to writer: inout some ByteWriter) {
  for place in 0..<text.utf8CodeUnitCount { writer.write(text.utf8Start[place]) }
}
