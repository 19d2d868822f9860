/** Options of all commands that need the settings of a runner. */
export const runnerOptions = {
  url: { type: 'string', value: 'ORIGIN', help: 'the address of the API (SLIPWAY_URL)' },
  'trust-repositories': {
    type: 'boolean',
    default: false,
    help: 'run builds without a sandbox where there is none',
  },
} as const;
