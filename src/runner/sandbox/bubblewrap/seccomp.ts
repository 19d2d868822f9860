/** Instructions of classic BPF: `linux/bpf_common.h`. */
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_ABOVE = 0x25;
const JUMP_IF_AT_LEAST = 0x35;
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

/** The first number of the x32 calls on x86_64, which would repeat all others. */
const X32 = 0x40000000;

interface Architecture {
  /** `AUDIT_ARCH_…` */
  readonly id: number;
  readonly socket: number;
  readonly clone: number;
  readonly unshare: number;
  readonly prctl: number;
  readonly shmget: number;
  readonly refused: readonly number[];
}

/**
 * Calls that no build needs: keys of the kernel (a build would inherit the runner's), mounts, modules, handles of files,
 * and parts of the kernel in which many escapes were found (bpf, perf, userfaultfd, io_uring). In order: add_key,
 * request_key, keyctl, mount, umount2, pivot_root, open_tree, move_mount, fsopen, fsconfig, fsmount, fspick,
 * mount_setattr, setns, open_by_handle_at, kexec_load, kexec_file_load, init_module, finit_module, delete_module, quotactl,
 * syslog, acct, swapon, swapoff, reboot, bpf, perf_event_open, userfaultfd, io_uring_setup, io_uring_enter,
 * io_uring_register.
 */
const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    id: 0xc000003e,
    socket: 41,
    clone: 56,
    unshare: 272,
    prctl: 157,
    shmget: 29,
    refused: [
      248, 249, 250, 165, 166, 155, 428, 429, 430, 431, 432, 433, 442, 308, 304, 246, 320, 175, 313, 176, 179,
      103, 163, 167, 168, 169, 321, 298, 323, 425, 426, 427,
    ],
  },
  arm64: {
    id: 0xc00000b7,
    socket: 198,
    clone: 220,
    unshare: 97,
    prctl: 167,
    shmget: 194,
    refused: [
      217, 218, 219, 40, 39, 41, 428, 429, 430, 431, 432, 433, 442, 268, 265, 104, 294, 105, 273, 106, 60,
      116, 89, 224, 225, 142, 280, 241, 282, 425, 426, 427,
    ],
  },
};

/** The same on all architectures. */
const CLONE3 = 435;
const CLOSE_RANGE = 436;

/**
 * Calls that hide memory or open files from the runner, which counts them by process: threads with separate open files,
 * processes whose open files only root sees, and large segments that no process has mapped. `clone3` has its flags in
 * memory, where a filter does not see them; programs use `clone` without it.
 */
function visibility({ clone, unshare, prctl, shmget }: Architecture): Buffer[] {
  return [
    on(CLONE3, [end(FAIL | ENOSYS)]),
    on(clone, [
      load(FIRST_ARGUMENT),
      instruction(AND, 0, 0, CLONE_THREAD | CLONE_FILES),
      ...unless(JUMP_IF_EQUAL, CLONE_THREAD, FAIL | EPERM),
    ]),
    on(unshare, flag(FIRST_ARGUMENT, CLONE_FILES, EPERM)),
    on(CLOSE_RANGE, flag(THIRD_ARGUMENT, CLOSE_RANGE_UNSHARE, EINVAL)),
    on(prctl, [load(FIRST_ARGUMENT), ...unless(JUMP_IF_EQUAL, PR_SET_DUMPABLE, PRETEND)]),
    on(shmget, [
      load(SECOND_ARGUMENT + UPPER_HALF),
      jump(JUMP_IF_EQUAL, 0, 1, 0),
      end(FAIL | EINVAL),
      load(SECOND_ARGUMENT),
      ...unless(JUMP_IF_ABOVE, LARGEST_SEGMENT, FAIL | EINVAL),
    ]),
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
  const program = [
    load(ARCHITECTURE),
    jump(JUMP_IF_EQUAL, known.id, 1, 0),
    end(FAIL | ENOSYS),
    load(NUMBER),
    jump(JUMP_IF_AT_LEAST, X32, 0, 1),
    end(FAIL | ENOSYS),
    ...known.refused.flatMap((number) => [jump(JUMP_IF_EQUAL, number, 0, 1), end(FAIL | EPERM)]),
    ...visibility(known),
    jump(JUMP_IF_EQUAL, known.socket, 1, 0),
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
