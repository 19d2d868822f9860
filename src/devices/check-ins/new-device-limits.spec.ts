import { jest } from '@jest/globals';
import type { ClientConnection } from '../../common/request-origin/client-connection.js';
import { Config } from '../../config/config.js';
import { type CheckIn, deviceIdOf } from './check-in.js';
import type { CheckInsQueries } from './check-ins.queries.js';
import { NewDeviceLimits } from './new-device-limits.js';

const HOUR = 3_600_000;

let lookups: number;
let known: Set<string>;
let limits: NewDeviceLimits;
let config: Config;

beforeEach(() => {
  jest.useFakeTimers({ now: 1000 * HOUR });
  lookups = 0;
  known = new Set();
  config = new Config();
  config.devices.newPerApp = 100;
  config.devices.newPerNetwork = 10;
  const queries = {
    known: (batch: readonly CheckIn[]) => {
      lookups += batch.length;
      return Promise.resolve(known);
    },
    countDevices: () => Promise.resolve(0),
  } as unknown as CheckInsQueries;
  limits = new NewDeviceLimits(queries, config);
});
afterEach(() => jest.useRealTimers());

const connectionFrom = (address: string): ClientConnection => ({
  remoteAddress: '127.0.0.1',
  forwardedFor: address,
  trusts: (proxy) => proxy === '127.0.0.1',
});

const checkIn = (deviceId: string, address = '81.2.3.4', appId = 'app'): CheckIn => ({
  state: { appId, json: '{}' },
  key: `${appId}/${deviceId}`,
  customId: null,
  seenAt: 0,
  connection: connectionFrom(address),
});

/** As the recorder does. @returns how many were written */
async function write(batch: readonly CheckIn[]): Promise<number> {
  const written = await limits.dropExcess(batch);
  const created = written.filter(({ key }) => !known.has(key));
  limits.count(
    written,
    created.map(({ state }) => state.appId),
    created.map(deviceIdOf),
  );
  return written.length;
}

it('asks for known devices only close to a limit', async () => {
  for (let n = 0; n < 5; n++) expect(await write([checkIn(`${n} a`), checkIn(`${n} b`)])).toBe(2);
  expect(lookups).toBe(0);
  expect(await write([checkIn('x'), checkIn('y')])).toBe(0);
  expect(lookups).toBe(2);
  expect(limits.refused).toEqual({ app_hour: 0, network_hour: 2, app_maximum: 0 });
});

it('writes known devices whatever was exceeded, and the others up to the limit', async () => {
  known = new Set(['app/old 1', 'app/old 2']);
  const batch = [...Array(12).keys()].map((n) => checkIn(`new ${n}`));
  expect(await write([checkIn('old 1'), ...batch, checkIn('old 2')])).toBe(12);
  expect(await write([checkIn('old 1'), checkIn('another'), checkIn('old 2')])).toBe(2);
});

it('counts the devices of an app from all networks', async () => {
  for (let network = 0; network < 12; network++)
    await write([...Array(10).keys()].map((n) => checkIn(`${network} ${n}`, `81.2.${network}.1`)));
  expect(limits.refused).toEqual({ app_hour: 20, network_hour: 0, app_maximum: 0 });
  expect(await write([checkIn('elsewhere', '81.3.0.1', 'another app')])).toBe(1);
});

it('starts again with the next hour', async () => {
  await write([...Array(10).keys()].map((n) => checkIn(`${n}`)));
  expect(await write([checkIn('x')])).toBe(0);
  jest.setSystemTime(1001 * HOUR);
  expect(await write([checkIn('x')])).toBe(1);
});
