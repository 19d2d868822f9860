import { type CallNumbers, limitedCalls, NEWEST_CALL, refusedCalls } from './system-calls.js';

/** Instructions of classic BPF: `linux/bpf_common.h`. */
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_ABOVE = 0x25;
const AND = 0x54;
const RETURN = 0x06;

/** What a filter returns: `linux/seccomp.h`. */
const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
/** The call does nothing, and the program believes that it did. */
const PRETEND = FAIL;
const EPERM = 1;
const EINVAL = 22;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets in `struct seccomp_data`; of arguments, the lower half, which the upper one follows. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;
const THIRD_ARGUMENT = 32;
const UPPER_HALF = 4;

/** Local, IPv4 and IPv6. Others, such as `AF_VSOCK`, leave the network namespace or are rarely tested. */
const ADDRESS_FAMILIES = [1, 2, 10];
/** `AF_NETLINK`, for `NETLINK_ROUTE` only: programs list their addresses with it. Others reach parts like netfilter. */
const NETLINK = 16;
const ROUTE = 0;

/** Arguments of `clone`, `unshare`, `close_range` and `prctl`. */
const CLONE_FILES = 0x400;
const CLONE_THREAD = 0x10000;
const CLOSE_RANGE_UNSHARE = 2;
const PR_SET_DUMPABLE = 4;
/** The most that a System V segment may have, in bytes. Databases need a few dozen; the kernel allows 4,096 segments. */
const LARGEST_SEGMENT = 64 * 1024;
/** The most System V semaphores in a set: the kernel takes 64 bytes for each, and allows 32,000 sets of 32,000. */
const LARGEST_SET = 32;

/** `AUDIT_ARCH_…`, and where the numbers of calls are. */
const architectures: Readonly<Record<string, { readonly id: number; readonly column: 0 | 1 }>> = {
  x64: { id: 0xc000003e, column: 0 },
  arm64: { id: 0xc00000b7, column: 1 },
};

/**
 * Calls that hide memory or open files from the runner, which counts them by process: threads with separate open files,
 * processes whose open files only root sees, large segments that no process has mapped, and large sets of semaphores.
 * `clone3` has its flags in memory, where a filter does not see them; programs use `clone` without it.
 *
 * @param numberOf a call on this machine
 */
function visibility(numberOf: (call: CallNumbers) => number): Buffer[] {
  const { clone, clone3, unshare, close_range, prctl, shmget, semget } = limitedCalls;
  return [
    on(numberOf(clone3), [end(FAIL | ENOSYS)]),
    on(numberOf(clone), [
      load(FIRST_ARGUMENT),
      instruction(AND, 0, 0, CLONE_THREAD | CLONE_FILES),
      ...unless(JUMP_IF_EQUAL, CLONE_THREAD, FAIL | EPERM),
    ]),
    on(numberOf(unshare), flag(FIRST_ARGUMENT, CLONE_FILES, EPERM)),
    on(numberOf(close_range), flag(THIRD_ARGUMENT, CLOSE_RANGE_UNSHARE, EINVAL)),
    on(numberOf(prctl), [load(FIRST_ARGUMENT), ...unless(JUMP_IF_EQUAL, PR_SET_DUMPABLE, PRETEND)]),
    on(numberOf(shmget), [
      load(SECOND_ARGUMENT + UPPER_HALF),
      jump(JUMP_IF_EQUAL, 0, 1, 0),
      end(FAIL | EINVAL),
      load(SECOND_ARGUMENT),
      ...unless(JUMP_IF_ABOVE, LARGEST_SEGMENT, FAIL | EINVAL),
    ]),
    // The kernel takes only the lower half.
    on(numberOf(semget), [load(SECOND_ARGUMENT), ...unless(JUMP_IF_ABOVE, LARGEST_SET, FAIL | EINVAL)]),
  ];
}

/**
 * A filter of system calls for the builds of this machine, as the kernel takes it. 32-bit programs do not run with it.
 *
 * @param arch as `process.arch` has it
 * @returns `null` for architectures whose calls are not known here
 */
export function seccompFilter(arch: string): Buffer | null {
  const known = architectures[arch];
  if (known === undefined) return null;
  const numberOf = (call: CallNumbers): number => call[known.column];
  const program = [
    load(ARCHITECTURE),
    jump(JUMP_IF_EQUAL, known.id, 1, 0),
    end(FAIL | ENOSYS),
    load(NUMBER),
    // Among them the x32 calls of x86_64, which would repeat all others.
    jump(JUMP_IF_ABOVE, NEWEST_CALL, 0, 1),
    end(FAIL | ENOSYS),
    ...Object.values(refusedCalls).flatMap((call) => [
      jump(JUMP_IF_EQUAL, numberOf(call), 0, 1),
      end(FAIL | EPERM),
    ]),
    ...visibility(numberOf),
    jump(JUMP_IF_EQUAL, numberOf(limitedCalls.socket), 1, 0),
    end(ALLOW),
    load(FIRST_ARGUMENT),
    ...ADDRESS_FAMILIES.flatMap((family) => [jump(JUMP_IF_EQUAL, family, 0, 1), end(ALLOW)]),
    jump(JUMP_IF_EQUAL, NETLINK, 0, 3),
    load(THIRD_ARGUMENT),
    jump(JUMP_IF_EQUAL, ROUTE, 0, 1),
    end(ALLOW),
    end(FAIL | EAFNOSUPPORT),
  ];
  return Buffer.concat(program);
}

const load = (offset: number) => instruction(LOAD_WORD, 0, 0, offset);
const end = (value: number) => instruction(RETURN, 0, 0, value);

/** Decides about one call. @param block returns in any case */
const on = (number: number, block: readonly Buffer[]): Buffer =>
  Buffer.concat([jump(JUMP_IF_EQUAL, number, 0, block.length), ...block]);

/** Allows the call unless what is loaded compares so. */
const unless = (code: number, value: number, result: number): Buffer[] => [
  jump(code, value, 0, 1),
  end(result),
  end(ALLOW),
];

/** Refuses a call with this flag. */
const flag = (argument: number, value: number, error: number): Buffer[] => [
  load(argument),
  instruction(AND, 0, 0, value),
  ...unless(JUMP_IF_EQUAL, value, FAIL | error),
];

/** Skips `then` instructions if the comparison holds, `otherwise` if not. */
function jump(code: number, value: number, then: number, otherwise: number): Buffer {
  return instruction(code, then, otherwise, value);
}

/** `struct sock_filter` */
function instruction(code: number, jumpTrue: number, jumpFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(jumpTrue, 2);
  bytes.writeUInt8(jumpFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
