#define _GNU_SOURCE
#include "CKernel.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *kernel_stack(size_t size) {
    void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return NULL;
    mprotect(stack, 4096, PROT_NONE);
    return stack;
}

#if defined(__x86_64__)
__asm__(
    ".globl kernel_switch\n.type kernel_switch,@function\nkernel_switch:\n"
    "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
    "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
    "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n"
    ".globl kernel_begin\n.type kernel_begin,@function\nkernel_begin:\n"
    "movq %r12, %rdi\ncallq *%r13\nud2\n");
#elif defined(__aarch64__)
__asm__(
    ".globl kernel_switch\n.type kernel_switch,%function\nkernel_switch:\n"
    "sub sp, sp, #176\n"
    "stp x19, x20, [sp, #0]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\n"
    "stp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
    "stp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\n"
    "mov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
    "ldp x19, x20, [sp, #0]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\n"
    "ldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\n"
    "ldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\n"
    "add sp, sp, #176\nret\n"
    ".globl kernel_begin\n.type kernel_begin,%function\nkernel_begin:\n"
    "mov x0, x19\nblr x20\nbrk #1\n");
#else
#error "The simulator switches stacks on x86-64 and on arm64."
#endif

extern void kernel_begin(void);

void *kernel_prepare(void *stack, size_t size, kernel_entry entry, void *argument) {
    uintptr_t top = ((uintptr_t)stack + size) & ~(uintptr_t)15;
#if defined(__x86_64__)
    // After `ret`, the stack pointer is a multiple of 16, as the ABI wants it before a call.
    void **sp = (void **)(top - 16 - 7 * 8);
    memset(sp, 0, 7 * 8);
    // r15, r14, r13, r12, rbx, rbp, return address
    sp[2] = (void *)entry;
    sp[3] = argument;
    sp[6] = (void *)kernel_begin;
    return sp;
#else
    void **sp = (void **)(top - 176);
    memset(sp, 0, 176);
    sp[0] = argument;
    sp[1] = (void *)entry;
    sp[11] = (void *)kernel_begin;
    return sp;
#endif
}

kernel_hooks kernel_hooked;

static void split(int64_t time, struct timespec *result) {
    result->tv_sec = time / 1000000000;
    result->tv_nsec = time % 1000000000;
}

// Before the kernel runs, time stands still.
static int64_t now(int clock) { return kernel_hooked.now ? kernel_hooked.now(clock) : 1767225600000000000; }

int clock_gettime(clockid_t clock, struct timespec *result) {
    split(now(clock), result);
    return 0;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    int64_t time = now(CLOCK_REALTIME);
    result->tv_sec = time / 1000000000;
    result->tv_usec = time % 1000000000 / 1000;
    return 0;
}

time_t time(time_t *result) {
    time_t seconds = now(CLOCK_REALTIME) / 1000000000;
    if (result) *result = seconds;
    return seconds;
}

int nanosleep(const struct timespec *wanted, struct timespec *rest) {
    if (kernel_hooked.sleep) kernel_hooked.sleep(wanted->tv_sec * 1000000000 + wanted->tv_nsec);
    if (rest) rest->tv_sec = rest->tv_nsec = 0;
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *rest) {
    int64_t time = wanted->tv_sec * 1000000000 + wanted->tv_nsec;
    if (flags & TIMER_ABSTIME) time -= now(clock);
    if (kernel_hooked.sleep && time > 0) kernel_hooked.sleep(time);
    if (rest) rest->tv_sec = rest->tv_nsec = 0;
    return 0;
}

int usleep(useconds_t microseconds) {
    if (kernel_hooked.sleep) kernel_hooked.sleep((int64_t)microseconds * 1000);
    return 0;
}

int poll(struct pollfd *watched, nfds_t count, int milliseconds) {
    if (count != 1 || !kernel_hooked.poll) return 0;
    watched->revents = kernel_hooked.poll(watched->fd, watched->events, milliseconds);
    return watched->revents ? 1 : 0;
}

static void fill(void *bytes, size_t count) {
    if (kernel_hooked.random) kernel_hooked.random(bytes, count);
    else memset(bytes, 7, count);
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    fill(bytes, count);
    return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) {
    fill(bytes, count);
    return 0;
}

void arc4random_buf(void *bytes, size_t count) { fill(bytes, count); }

uint32_t arc4random(void) {
    uint32_t number;
    fill(&number, sizeof number);
    return number;
}

// The source of Swift's SystemRandomNumberGenerator.
void swift_stdlib_random(void *bytes, size_t count) { fill(bytes, count); }

void kernel_make_repeatable(char **arguments) {
    int persona = personality(0xffffffff);
    int isFixed = persona != -1 && persona & ADDR_NO_RANDOMIZE;
    if (isFixed && getenv("SWIFT_DETERMINISTIC_HASHING")) {
        mallopt(M_ARENA_MAX, 1);
        mallopt(M_MMAP_THRESHOLD, 1 << 30);
        return;
    }
    if (!isFixed && personality(persona | ADDR_NO_RANDOMIZE) == -1) return;
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1);
    execv("/proc/self/exe", arguments);
}

int kernel_run_in_child(void (*body)(void *), void *argument) {
    pid_t child = fork();
    if (child == 0) {
        body(argument);
        _exit(0);
    }
    int status = 0;
    if (child == -1 || waitpid(child, &status, 0) == -1) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

double kernel_machine_seconds(void) {
    struct timespec time;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}
