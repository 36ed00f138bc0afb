import CPUSupport

// What an image does that has nothing to go on with after an exception: a code for each ends its run.

/// Every exception.
@c(fault_taken) func faultTaken(_ frame: UInt32, _ link: UInt32) { cpu_exit(70) }

/// Called when a function finds its stack frame overwritten.
@c(__stack_chk_fail) func stackProtectorFailed() { cpu_exit(71) }
