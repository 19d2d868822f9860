import { Config } from '../../config/config.js';
import type { CustomIds } from './custom-ids.js';
import { CheckInRecorder } from './check-in-recorder.js';
import type { CheckInsQueries } from './check-ins.queries.js';
import { type CheckIn, deviceIdOf } from './check-in.js';
import type { NewDeviceLimits } from './new-device-limits.js';
import type { DeviceReport } from './device-report.js';

const report: DeviceReport = {
  bundleId: null,
  channelNames: [],
  platform: 'android',
  platformNumber: 0,
  appVersionCode: '1',
  appVersionName: '1',
  osVersion: '1',
  pluginVersion: '8.0.0',
  runtime: null,
};

/** @param write stands for the database */
function recorderWith(write: (batch: readonly CheckIn[]) => Promise<number>): CheckInRecorder {
  const queries = {
    write: async (batch: readonly CheckIn[]) => ({
      count: await write(batch),
      rolledBackAppIds: null,
      newAppIds: null,
    }),
  } as unknown as CheckInsQueries;
  const customIds = { toStored: () => Promise.resolve([]) } as unknown as CustomIds;
  const newDevices = {
    dropExcess: (batch: readonly CheckIn[]) => Promise.resolve(batch),
  } as unknown as NewDeviceLimits;
  return new CheckInRecorder(queries, customIds, null as never, newDevices, new Config());
}

function record(recorder: CheckInRecorder, deviceId: string, country: string | null = null): void {
  recorder.record({
    appId: 'app',
    deviceId,
    customId: null,
    report,
    country,
    channelId: null,
    deploymentId: null,
    runsOffered: false,
    connection: { remoteAddress: '', forwardedFor: null, trusts: () => false },
  });
}

it('pauses after a failed write, however many devices check in', async () => {
  let attempts = 0;
  let isAway = true;
  const recorder = recorderWith(async (batch) => {
    attempts++;
    if (isAway) throw new Error('The database is away.');
    return batch.length;
  });
  for (let n = 0; n < 2000; n++) record(recorder, `early ${n}`);
  await recorder.flushed();
  const before = attempts;
  for (let n = 0; n < 2000; n++) {
    record(recorder, `late ${n}`);
    if (n % 100 === 0) await new Promise(setImmediate);
  }
  expect(attempts).toBe(before);
  expect(recorder.waiting).toBe(4000);
  isAway = false;
  await recorder.flushed();
  expect(recorder.waiting).toBe(0);
});

it('writes a failed batch before later check-ins', async () => {
  let isAway = true;
  const written: string[][] = [];
  const recorder = recorderWith(async (batch) => {
    if (isAway) throw new Error('The database is away.');
    return written.push(
      batch.map((checkIn) => deviceIdOf(checkIn) + checkIn.state.json.match(/[A-Z]{2}/)?.[0]),
    );
  });
  for (const device of ['a', 'b']) record(recorder, device, 'DE');
  await recorder.flushed();
  for (const device of ['a', 'c']) record(recorder, device, 'FR');
  isAway = false;
  await recorder.flushed();
  expect(recorder.waiting).toBe(0);
  expect(written).toEqual([
    ['aDE', 'bDE'],
    ['aFR', 'cFR'],
  ]);
});
