import CPUSupport

/// Runs the core's entry points and reports through the emulator: lines, and 1 as the exit code when an expectation fails.
func runImage() {
  var run = CoreRun()
  run.all()
  if run.failures.count > 0 {
    var place = 0
    while place < run.failures.textCount {
      cpu_write(run.failures[place])
      place += 1
    }
    write("\n")
    cpu_exit(1)
  }
  write("fingerprint ")
  var shift: UInt32 = 32
  while shift > 0 {
    shift -= 4
    let digit = UInt8(truncatingIfNeeded: run.fingerprint >> shift & 15)
    cpu_write(digit < 10 ? 0x30 + digit : 0x57 + digit)
  }
  write("\n")
  var place: UInt8 = 0
  while let value = BigValue(rawValue: place) {
    write("size ")
    write(decimal: run.sizes[value])
    write(" ")
    write(value.name)
    write("\n")
    place += 1
  }
  var number: UInt8 = 0
  while let door = Door(rawValue: number) {
    write("stack ")
    write(decimal: run.stack[door])
    write(" ")
    write(door.name)
    write("\n")
    number += 1
  }
  writeParts()
  cpu_exit(0)
}

func write(decimal number: UInt32) {
  var power: UInt32 = 100_000
  while power > 0 {
    if number >= power || power == 1 { cpu_write(0x30 + UInt8(truncatingIfNeeded: number / power % 10)) }
    power /= 10
  }
}

func write(_ text: StaticString) {
  var place = 0
  while place < text.utf8CodeUnitCount {
    cpu_write(text.utf8Start[place])
    place += 1
  }
}
