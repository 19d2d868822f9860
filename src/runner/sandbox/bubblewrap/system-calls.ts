/** The numbers of a call on x86_64 and on arm64. */
export type CallNumbers = readonly [x64: number, arm64: number];

/** Calls since Linux 5.1 have the same number everywhere. */
const everywhere = (number: number): CallNumbers => [number, number];

/** The newest call that docs/runners.md decides about. Later ones fail, as on a kernel that does not have them. */
export const NEWEST_CALL = 471;

/** Calls that no build needs. docs/runners.md says why each is refused. */
export const refusedCalls = {
  // Keys of the kernel: a build would inherit those of the runner.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Mounts, namespaces and handles of files.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  open_tree: everywhere(428),
  move_mount: everywhere(429),
  fsopen: everywhere(430),
  fsconfig: everywhere(431),
  fsmount: everywhere(432),
  fspick: everywhere(433),
  mount_setattr: everywhere(442),
  open_tree_attr: everywhere(467),
  setns: [308, 268],
  listns: everywhere(470),
  open_by_handle_at: [304, 265],
  // The machine itself.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  quotactl: [179, 60],
  quotactl_fd: everywhere(443),
  syslog: [103, 116],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  // Parts of the kernel in which many escapes were found.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: everywhere(425),
  io_uring_enter: everywhere(426),
  io_uring_register: everywhere(427),
  // Memory that belongs to no process and to no file that the runner can measure.
  memfd_secret: everywhere(447),
  vmsplice: [278, 75],
} as const satisfies Readonly<Record<string, CallNumbers>>;

/** Calls that builds need, and of which the filter refuses a part: see `seccompFilter`. */
export const limitedCalls = {
  socket: [41, 198],
  clone: [56, 220],
  clone3: everywhere(435),
  unshare: [272, 97],
  close_range: everywhere(436),
  prctl: [157, 167],
  shmget: [29, 194],
  semget: [64, 190],
} as const satisfies Readonly<Record<string, CallNumbers>>;
