/** How much of everything is written. */
export interface Sizes {
  /** Of the organization; the first one gets all that follows, the others a channel, a bundle and a deployment each. */
  readonly apps: number;
  /** Besides the default channel of the first app. */
  readonly channels: number;
  readonly bundles: number;
  /** Of the bundles, in turns, to the channels, in turns. */
  readonly deployments: number;
  readonly devices: number;
  /** How many of the devices are forced to a channel. */
  readonly forcedDevices: number;
  readonly members: number;
  readonly auditEvents: number;
  /** Days until now in which devices came and were seen, with their counts; 0: devices were seen once. */
  readonly historyDays: number;
}

/** What the days of a device hold. */
const MAX_HISTORY_DAYS = 60;

/** What there is when nothing is said. */
export const DEFAULT_SIZES: Sizes = {
  apps: 1,
  channels: 10,
  bundles: 50,
  deployments: 100,
  devices: 1000,
  forcedDevices: 0,
  members: 0,
  auditEvents: 0,
  historyDays: MAX_HISTORY_DAYS,
};

const MAX = 100_000_000;

/** @throws Error that says what is wrong, for a size that is no whole number, or that another one rules out */
export function checkSizes(sizes: Sizes): void {
  for (const [name, size] of Object.entries(sizes)) {
    if (!Number.isInteger(size) || size < 0 || size > MAX) {
      throw new Error(`${optionOf(name)} must be a whole number from 0 to ${MAX}.`);
    }
  }
  if (sizes.apps === 0) throw new Error('--apps must be at least 1.');
  if (sizes.deployments > 0 && sizes.bundles === 0) throw new Error('--deployments needs --bundles.');
  if (sizes.historyDays > MAX_HISTORY_DAYS) {
    throw new Error(`--history-days must be at most ${MAX_HISTORY_DAYS}.`);
  }
  if (sizes.forcedDevices > sizes.devices) {
    throw new Error('--forced-devices must be at most as many as --devices.');
  }
}

/** `forcedDevices` as `--forced-devices`. */
export function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
