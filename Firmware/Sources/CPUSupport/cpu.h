// What Swift cannot say on a Cortex-M: a few instructions, and the symbols of the linker script.
#pragma once
#include <stdint.h>

// Gives back what it takes in a way the compiler cannot look through: nothing that depends on it is computed at build time.
static inline __attribute__((always_inline)) uint32_t cpu_opaque(uint32_t value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

#if defined(__arm__)

// Paints the stack of whoever calls it from below its frame down to `bytes` bytes further, and answers where it began. Volatile
// keeps the compiler from calling memset here, which would run on the painted stack. `bytes` is a multiple of 32.
static inline __attribute__((always_inline)) uint32_t cpu_paint_stack(uint32_t bytes) {
  volatile uint32_t *top;
  __asm__ volatile("mov %0, sp" : "=r"(top));
  volatile uint32_t *place = top - bytes / 4;
  while (place < top) {
    place[0] = 0x5AFE57ACu, place[1] = 0x5AFE57ACu, place[2] = 0x5AFE57ACu, place[3] = 0x5AFE57ACu;
    place[4] = 0x5AFE57ACu, place[5] = 0x5AFE57ACu, place[6] = 0x5AFE57ACu, place[7] = 0x5AFE57ACu;
    place += 8;
  }
  return (uint32_t)(uintptr_t)top;
}

// How many bytes below `top` have been written to since.
static inline __attribute__((always_inline)) uint32_t cpu_used_stack(uint32_t top, uint32_t bytes) {
  const volatile uint32_t *place = (const volatile uint32_t *)(uintptr_t)(top - bytes);
  while ((uint32_t)(uintptr_t)place < top &&
         (place[0] ^ 0x5AFE57ACu | place[1] ^ 0x5AFE57ACu | place[2] ^ 0x5AFE57ACu | place[3] ^ 0x5AFE57ACu) == 0)
    place += 4;
  while ((uint32_t)(uintptr_t)place < top && *place == 0x5AFE57ACu) place++;
  return top - (uint32_t)(uintptr_t)place;
}

// Asks the debugger (here: the emulator) for a service. On a board without a debugger this faults.
static inline __attribute__((always_inline)) int32_t cpu_semihost(uint32_t operation, const void *argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return (int32_t)r0;
}

// Ends the emulator with an exit code (semihosting SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit).
static inline __attribute__((noreturn, always_inline)) void cpu_exit(uint32_t code) {
  uint32_t block[2] = {0x20026u, code};
  cpu_semihost(0x20u, block);
  for (;;) {
  }
}

// Writes one byte to the emulator's console (semihosting SYS_WRITEC).
static inline void cpu_write(uint8_t byte) { cpu_semihost(0x03u, &byte); }

// Finishes what is under way before the next instruction.
static inline __attribute__((always_inline)) void cpu_barrier(void) { __asm__ volatile("dsb\n isb" ::: "memory"); }

extern uint32_t ld_data_start[], ld_data_end[], ld_data_load[], ld_bss_start[], ld_bss_end[], ld_stack_top[];

// Memory that a reset does not clear, above the stack (sections.ld). Its words: how much of the stack the life before has used, what
// the loop does, what a test wants of it, the slot of the image; from 32 on registers 4 to 11 of what was interrupted last, from 64 on
// the ledger; its end is the stack of who notes a fault.
extern uint32_t ld_kept_start[], ld_kept_end[];
enum { KEPT_STACK = 0, KEPT_PART = 1, KEPT_PLAN = 2, KEPT_SLOT = 3, KEPT_REGISTERS = 8, KEPT_LEDGER = 16 };

// Between the variables and the stack nothing may be written: a stack that comes so far is a fault, not another value of a variable. It is
// larger than the frames of the functions that are deepest, as one that reserves more than this and writes only below it is not seen.
enum { GUARD_BITS = 12, GUARD_BYTES = 1 << GUARD_BITS };
static inline __attribute__((always_inline)) uint32_t cpu_guard_start(void) {
  return ((uint32_t)(uintptr_t)ld_bss_end + GUARD_BYTES - 1) & ~(uint32_t)(GUARD_BYTES - 1);
}
// Where the stack may end.
static inline __attribute__((always_inline)) uint32_t *cpu_stack_end(void) {
  return (uint32_t *)(uintptr_t)(cpu_guard_start() + GUARD_BYTES);
}

// Guards it, as the last and so strongest region of the memory protection unit: to be read, as memory that is shared and cached, by none to be
// written or executed; the rest is as without the unit. Its fault has a handler of its own (SHCSR), so that one that comes while its own frame
// is put on the stack still finds the next. Armv7-M, DDI 0403 sections B3.5.5 to B3.5.9 (MPU_TYPE, MPU_CTRL, MPU_RNR, MPU_RBAR, MPU_RASR) and
// B3.2.13 (SHCSR). Nothing happens on a processor without the unit.
static inline __attribute__((always_inline)) void cpu_guard_stack(void) {
  uint32_t regions = *(volatile uint32_t *)0xE000ED90u >> 8 & 0xFF;
  if (regions == 0) return;
  *(volatile uint32_t *)0xE000ED98u = regions - 1;
  *(volatile uint32_t *)0xE000ED9Cu = cpu_guard_start();
  *(volatile uint32_t *)0xE000EDA0u = 1u << 28 | 5u << 24 | 1u << 18 | 1u << 17 | (GUARD_BITS - 1u) << 1 | 1u;
  *(volatile uint32_t *)0xE000ED24u |= 1u << 16;
  *(volatile uint32_t *)0xE000ED94u = 5;
  __asm__ volatile("dsb\n isb" ::: "memory");
}

// No guard: that of an image before this one stands elsewhere.
static inline __attribute__((always_inline)) void cpu_unguard_stack(void) {
  *(volatile uint32_t *)0xE000ED94u = 0;
  __asm__ volatile("dsb\n isb" ::: "memory");
}

// Whether the stack has reached its guard: an access to it was refused (MMFSR, B3.2.15), and whether the frame of that exception could not be
// put on the stack, so that no registers stand there.
static inline uint32_t cpu_has_hit_guard(void) {
  uint32_t status = *(volatile uint32_t *)0xE000ED28u, place = *(volatile uint32_t *)0xE000ED34u;
  return (status & 1u << 4) != 0 || ((status & 0x82u) == 0x82u && place - cpu_guard_start() < GUARD_BYTES);
}
static inline uint32_t cpu_has_no_frame(void) { return (*(volatile uint32_t *)0xE000ED28u & (1u << 4 | 1u << 12)) != 0; }

// Paints all of the stack below the frame of the caller, down to its end, and notes before how much of it was written to.
static inline __attribute__((always_inline)) void cpu_paint_whole_stack(void) {
  volatile uint32_t *top;
  const volatile uint32_t *untouched = cpu_stack_end();
  while (untouched < (const volatile uint32_t *)ld_stack_top && *untouched == 0x5AFE57ACu) untouched++;
  *(volatile uint32_t *)&ld_kept_start[KEPT_STACK] = (uint32_t)((uintptr_t)ld_stack_top - (uintptr_t)untouched);
  __asm__ volatile("mov %0, sp" : "=r"(top));
  for (volatile uint32_t *place = cpu_stack_end(); place < top; place++) *place = 0x5AFE57ACu;
}

// Bytes from the end of the stack to its beginning, and how many of them were ever written to.
static inline uint32_t cpu_stack_room(void) { return (uint32_t)((uintptr_t)ld_stack_top - (uintptr_t)cpu_stack_end()); }
static inline uint32_t cpu_stack_mark(void) {
  const volatile uint32_t *place = cpu_stack_end();
  while (place < (const volatile uint32_t *)ld_stack_top && *place == 0x5AFE57ACu) place++;
  return (uint32_t)((uintptr_t)ld_stack_top - (uintptr_t)place);
}

// A word that an interrupt changes, or reads: in memory each time, and in the order of the program.
static inline __attribute__((always_inline)) uint32_t cpu_load(const uint32_t *place) {
  uint32_t value = *(const volatile uint32_t *)place;
  __asm__ volatile("dmb" ::: "memory");
  return value;
}
static inline __attribute__((always_inline)) void cpu_store(uint32_t *place, uint32_t value) {
  __asm__ volatile("dmb" ::: "memory");
  *(volatile uint32_t *)place = value;
}

// Sleeps until an interrupt is pending.
static inline __attribute__((always_inline)) void cpu_wait(void) { __asm__ volatile("dsb\n wfi" ::: "memory"); }

// Keeps interrupts from being taken, or lets them; one that is pending still ends cpu_wait.
static inline __attribute__((always_inline)) void cpu_hold_interrupts(void) { __asm__ volatile("cpsid i" ::: "memory"); }
static inline __attribute__((always_inline)) void cpu_take_interrupts(void) { __asm__ volatile("cpsie i" ::: "memory"); }

// A service of the debugger with the words that it takes.
static inline int32_t cpu_semihost2(uint32_t operation, uint32_t first, uint32_t second) {
  uint32_t words[2] = {first, second};
  return cpu_semihost(operation, words);
}

static inline int32_t cpu_semihost3(uint32_t operation, uint32_t first, const void *second, uint32_t third) {
  uint32_t words[3] = {first, (uint32_t)(uintptr_t)second, third};
  return cpu_semihost(operation, words);
}

static inline uint32_t cpu_kept(uint32_t place) { return *(const volatile uint32_t *)&ld_kept_start[place]; }
static inline void cpu_keep(uint32_t place, uint32_t value) { *(volatile uint32_t *)&ld_kept_start[place] = value; }
static inline void *cpu_kept_ledger(void) { return &ld_kept_start[KEPT_LEDGER]; }
// The last word before the kept memory, and whether a frame of an exception stands in the memory for variables and stack.
static inline uint32_t cpu_is_frame(uint32_t place) {
  return place % 4 == 0 && place >= (uint32_t)(uintptr_t)ld_data_start && place + 32 <= (uint32_t)(uintptr_t)ld_stack_top;
}
static inline uint32_t cpu_word(uint32_t place) { return *(const volatile uint32_t *)(uintptr_t)place; }
static inline uint32_t cpu_exception(void) {
  uint32_t number;
  __asm__ volatile("mrs %0, ipsr" : "=r"(number));
  return number & 0x1FF;
}

// The first instructions of an exception that nobody expects: where its frame is, registers that are not in it, and a stack of its own,
// as the other one may be the trouble. Then fault_taken(frame, what the link register has).
static __attribute__((naked, used)) void cpu_fault_entry(void) {
  __asm__ volatile(
      "tst lr, #4\n ite eq\n mrseq r0, msp\n mrsne r0, psp\n mov r1, lr\n"
      "movw r2, #:lower16:ld_kept_start\n movt r2, #:upper16:ld_kept_start\n add r2, r2, #32\n stmia r2, {r4-r11}\n"
      "movw r2, #:lower16:ld_kept_end\n movt r2, #:upper16:ld_kept_end\n mov sp, r2\n b fault_taken\n");
}

// The same of the timer, which interrupts what goes on afterwards: tick_taken(frame, what the link register has).
static __attribute__((naked, used)) void cpu_tick_entry(void) {
  __asm__ volatile(
      "mov r0, sp\n mov r1, lr\n"
      "movw r2, #:lower16:ld_kept_start\n movt r2, #:upper16:ld_kept_start\n add r2, r2, #32\n stmia r2, {r4-r11}\n"
      "b tick_taken\n");
}

// Resets the processor and what is around it (AIRCR.SYSRESETREQ, DDI 0403 section B3.2.6).
static inline __attribute__((noreturn, always_inline)) void cpu_reset(void) {
  __asm__ volatile("dsb" ::: "memory");
  *(volatile uint32_t *)0xE000ED0Cu = 0x05FA0004u;
  __asm__ volatile("dsb" ::: "memory");
  for (;;) {
  }
}

// Runs the image whose vectors are at a place, as a reset would: its stack, then its first instruction (VTOR, DDI 0403 section B3.2.5).
static inline __attribute__((noreturn, always_inline)) void cpu_jump(uint32_t vectors) {
  *(volatile uint32_t *)0xE000ED08u = vectors;
  __asm__ volatile("dsb\n isb\n ldr r1, [%0]\n ldr r2, [%0, #4]\n msr msp, r1\n bx r2" : : "r"(vectors) : "r1", "r2", "memory");
  __builtin_unreachable();
}

// Does nothing more, which is seen as nothing else by the compiler; interrupts are taken, or held, as they are.
static inline __attribute__((noreturn)) void cpu_hang(void) {
  for (;;) __asm__ volatile("" ::: "memory");
}

// What a provoked fault does: an instruction that does not exist, memory that does not exist, a stack without an end.
static inline void cpu_undefined(void) { __asm__ volatile("udf #1" ::: "memory"); }
static inline void cpu_wrong_address(void) { *(volatile uint32_t *)0xF0000004u = 1; }
static inline void cpu_overflow_stack(void) { __asm__ volatile("1: push {r0-r3}\n b 1b" ::: "memory"); }

// Copies initialised variables from flash and clears the others. Volatile keeps the compiler from calling memcpy here.
static inline __attribute__((always_inline)) void cpu_init_memory(void) {
  volatile uint32_t *to = ld_data_start;
  const volatile uint32_t *from = ld_data_load;
  while (to < (volatile uint32_t *)ld_data_end) *to++ = *from++;
  for (to = ld_bss_start; to < (volatile uint32_t *)ld_bss_end;) *to++ = 0;
}

#else

// One thread plays the loop and the interrupts.
static inline uint32_t cpu_load(const uint32_t *place) { return *place; }
static inline void cpu_store(uint32_t *place, uint32_t value) { *place = value; }

// Only the firmware's stack is measured.
static inline uint32_t cpu_paint_stack(uint32_t bytes) { return bytes; }
static inline uint32_t cpu_used_stack(uint32_t top, uint32_t bytes) { return top - bytes; }

#endif
