/** Where the containers see their volumes. */
export const POD_PATHS = {
  /** Working copy, home and cache. Both containers. */
  work: '/var/lib/slipway-job',
  /** What the agent makes of the build. */
  artifacts: '/var/lib/slipway-artifacts',
  /** In memory: the key, while a program signs with it. Only the agent. */
  keys: '/var/run/slipway-keys',
  /** The socket of the command server. Both containers. */
  socket: '/var/run/slipway-build',
} as const;
