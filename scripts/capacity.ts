/**
 * `npm run capacity`: what a number of devices takes, computed from the figures below, which were measured
 * (docs/performance.md). docs/capacity.md explains them.
 */

/** How an installation is used. */
const USE = {
  /** Update checks of a device in a day. */
  checksPerDay: 5,
  /** How much more than on average comes in the busiest minute. */
  peak: 4,
  /** Share of devices that download a release on the first day. */
  downloads: 0.6,
  /** Of an update as files in Brotli, in bytes. */
  updateSize: 500_000,
};

/** What was measured. */
const COST = {
  /** Processor time of a server for a check, in microseconds, with the writing of its device. */
  check: 35,
  /** Processor time of PostgreSQL for the row of a device, in microseconds: one for each check. */
  row: 45,
  /** Bytes of a device in the database, with indexes: twice the 440 that were measured, for what updates leave behind. */
  deviceBytes: 880,
  /** Share of a core that may be used at the peak. */
  load: 0.5,
  /** Resident memory of a server, in bytes. */
  memory: 300_000_000,
};

const SECONDS_PER_DAY = 86_400;

function capacityOf(devices: number): Record<string, string> {
  const average = (devices * USE.checksPerDay) / SECONDS_PER_DAY;
  const peak = average * USE.peak;
  const serverCores = (peak * COST.check) / 1e6 / COST.load;
  const databaseCores = (peak * COST.row) / 1e6 / COST.load;
  // Two at least, so that one may fail.
  const servers = Math.max(2, Math.ceil(serverCores));
  const traffic = (devices * USE.downloads * USE.updateSize * 8) / SECONDS_PER_DAY;
  return {
    Devices: devices.toLocaleString('en'),
    'Checks per second, average': shown(average),
    'At the peak': shown(peak),
    'Server cores': shown(serverCores),
    'Server processes': String(servers),
    'Their memory': `${shown((servers * COST.memory) / 1e9)} GB`,
    'Database cores': shown(databaseCores),
    'Devices in the database': `${shown((devices * COST.deviceBytes) / 1e9)} GB`,
    'Downloads after a release, average': `${shown(traffic / 1e6)} Mbit/s`,
  };
}

function shown(value: number): string {
  return value >= 10 ? Math.round(value).toLocaleString('en') : value.toPrecision(2);
}

const columns = [1e5, 1e6, 1e7, 1e8].map(capacityOf);
const [first = {}] = columns;
const lines = Object.keys(first).map((name) => [name, ...columns.map((column) => column[name] ?? '')]);
const [head = [], ...body] = lines;
for (const line of [head, head.map((_, n) => (n === 0 ? '---' : '---:')), ...body])
  console.log(`| ${line.join(' | ')} |`);
