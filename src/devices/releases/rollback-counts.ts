import { hash } from 'node:crypto';

/** Counts of an app that are in memory, the newest ones: devices whose counts are older are offered the bundle again. */
export const MAX_COUNTS = 100_000;
/** Bytes that a count takes in memory, about: measured. */
const BYTES_PER_COUNT = 60;
/** Bytes of a count as it is loaded: the hash and the two numbers. */
const LOADED_BYTES = 12;
/** Neither number is as high: two of them are kept in one. */
const BASE = 1000;

/** How often a device has rolled a bundle back in one native version, up to 999. */
export interface RollbackCount {
  /** Since the device last ran the bundle well. */
  readonly consecutive: number;
  readonly all: number;
}

const NEVER: RollbackCount = { consecutive: 0, all: 0 };

/** A count that has changed. */
export interface RollbackChange {
  readonly hash: bigint;
  /** 0 of all: forgotten. */
  readonly count: RollbackCount;
}

/**
 * How often the devices of one app have rolled bundles back, under 64-bit hashes, so that a wrong one is found in one of
 * 10^14 lookups. It changes in place: a roll-back must not load the release table again.
 */
export class RollbackCounts {
  /** The consecutive ones times `BASE`, plus all. Oldest first; `null`: none, as of most apps. */
  private counts: Map<bigint, number> | null = null;

  /** @param max counts that are kept at most */
  constructor(private readonly max = MAX_COUNTS) {}

  /** @param loaded 8 bytes for each hash, 2 for its consecutive count and 2 for that of all, oldest first */
  static fromLoaded(loaded: Buffer | null): RollbackCounts {
    const counts = new RollbackCounts();
    for (let at = 0; loaded !== null && at < loaded.length; at += LOADED_BYTES) {
      counts.set(loaded.readBigUInt64BE(at), {
        consecutive: loaded.readUInt16BE(at + 8),
        all: loaded.readUInt16BE(at + 10),
      });
    }
    return counts;
  }

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    return BYTES_PER_COUNT * (this.counts?.size ?? 0);
  }

  get isEmpty(): boolean {
    return this.counts === null || this.counts.size === 0;
  }

  /** How often the device has rolled the bundle back in this native version. */
  of(deviceId: string | null, bundleId: string, appVersionCode: string): RollbackCount {
    if (this.isEmpty || deviceId === null) return NEVER;
    const count = this.counts?.get(rollbackHash(deviceId, bundleId, appVersionCode));
    return count === undefined ? NEVER : { consecutive: Math.floor(count / BASE), all: count % BASE };
  }

  /** Remembers a count, as the newest; 0 of all forgets it. */
  set(key: bigint, { consecutive, all }: RollbackCount): void {
    const counts = (this.counts ??= new Map());
    counts.delete(key);
    if (all > 0) counts.set(key, consecutive * BASE + all);
    if (counts.size <= this.max) return;
    for (const oldest of counts.keys()) {
      counts.delete(oldest);
      break;
    }
  }
}

/** None, and none can be added. */
export const NO_ROLLBACKS = new RollbackCounts(0);

/** As `key` of `device_rollbacks`. */
export function rollbackHash(deviceId: string, bundleId: string, appVersionCode: string): bigint {
  const text = `${bundleId}/${Buffer.byteLength(appVersionCode)}/${appVersionCode}/${deviceId}`;
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`);
}

/** Reads a notification: `<app id> <hash in hexadecimal>:<consecutive>:<all> …`. */
export function readRollbacks(payload: string): { appId: string; changes: RollbackChange[] } {
  const [appId = '', ...changes] = payload.split(' ');
  return {
    appId,
    changes: changes.map((change) => {
      const [hex, consecutive, all = consecutive] = change.split(':');
      return { hash: BigInt(`0x${hex}`), count: { consecutive: Number(consecutive), all: Number(all) } };
    }),
  };
}
