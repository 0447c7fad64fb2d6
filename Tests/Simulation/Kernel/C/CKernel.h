// Switches between stacks, and the C library's clock, sleep, poll and randomness, which Kernel answers.
#ifndef LONGPRESS_CKERNEL_H
#define LONGPRESS_CKERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef void (*kernel_entry)(void *argument);

// Maps a stack with a guard page at its low end; NULL without memory.
void *kernel_stack(size_t size);

// The initial stack pointer of a stack whose first switch calls `entry`, which must not return.
void *kernel_prepare(void *stack, size_t size, kernel_entry entry, void *argument);

// Saves the stack pointer to `from` and continues at `to`.
void kernel_switch(void **from, void *to);

// Called by the C library's functions below. `clock` is a clockid_t; times in nanoseconds.
typedef struct {
    int64_t (*now)(int clock);
    void (*sleep)(int64_t nanoseconds);
    // Waits until the descriptor is ready; the events, 0 after `milliseconds` (negative: no limit).
    short (*poll)(int descriptor, short events, int milliseconds);
    void (*random)(void *bytes, size_t count);
} kernel_hooks;

extern kernel_hooks kernel_hooked;

// Starts the process again without address randomization and with deterministic hashing, unless it already runs so.
void kernel_make_repeatable(char **arguments);

// Runs body in a child process, which may end itself. Returns its exit status, or a negative number if it was killed.
int kernel_run_in_child(void (*body)(void *), void *argument);

// Seconds of the machine's own monotonic clock, for limits on a run.
double kernel_machine_seconds(void);

#endif
