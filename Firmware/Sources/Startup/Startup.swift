import CPUSupport
import _Volatile

/// What the processor runs out of reset: floating point on, variables in place, the stack painted and guarded, the board set up, then the image.
///
/// The first floating-point instruction before CPACR is set is a fault, so nothing may come before it.
///
/// - Source: Armv7-M Architecture Reference Manual, DDI 0403, section B3.2.20 (CPACR).
@c(reset_handler) func resetHandler() {
  let coprocessorAccess = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_ED88)
  coprocessorAccess.store(coprocessorAccess.load() | 0xF << 20)
  cpu_barrier()
  cpu_unguard_stack()
  cpu_init_memory()
  cpu_paint_whole_stack()
  cpu_guard_stack()
  Board.prepare()
  runImage()
}

typealias Vector = @convention(c) () -> Void

/// Reset, and the exceptions up to SysTick; the linker script puts the initial stack pointer before them. What an exception does is up
/// to the image.
@section(".vectors") @used
let vectors:
  (
    Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector,
    Vector
  ) = (
    resetHandler, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry,
    cpu_fault_entry,
    cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_fault_entry, cpu_tick_entry
  )
