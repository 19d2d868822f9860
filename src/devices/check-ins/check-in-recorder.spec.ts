import { Config } from '../../config/config.js';
import type { CustomIds } from './custom-ids.js';
import { CheckInRecorder } from './check-in-recorder.js';
import type { CheckInsQueries } from './check-ins.queries.js';
import type { CheckIn } from './check-in.js';
import { parseUpdateCheck } from '../update-check/update-check-request.js';

/** @param write stands for the database */
function sightingsWith(write: (batch: readonly CheckIn[]) => Promise<number>): CheckInRecorder {
  const queries = { write } as unknown as CheckInsQueries;
  const customIds = { toStored: () => Promise.resolve([]) } as unknown as CustomIds;
  return new CheckInRecorder(queries, customIds, new Config());
}

function see(sightings: CheckInRecorder, deviceId: string, country: string | null = null): void {
  sightings.record({
    appId: 'app',
    deviceId,
    customId: null,
    report: parseUpdateCheck('/?platform=0').report,
    country,
    channelId: null,
    deploymentId: null,
    runsOffered: false,
  });
}

it('leaves a database alone for a moment that cannot be used, however many devices ask', async () => {
  let attempts = 0;
  const sightings = sightingsWith(() =>
    Promise.reject(new Error(`The database is away for the ${++attempts}. time.`)),
  );
  for (let n = 0; n < 2000; n++) see(sightings, `early ${n}`);
  await sightings.flushed();
  const before = attempts;
  for (let n = 0; n < 2000; n++) {
    see(sightings, `late ${n}`);
    if (n % 100 === 0) await new Promise(setImmediate);
  }
  expect(attempts).toBe(before);
  expect(sightings.waiting).toBe(4000);
});

it('writes what could not be written before what came later', async () => {
  let isAway = true;
  const written: string[][] = [];
  const sightings = sightingsWith(async (batch) => {
    if (isAway) throw new Error('The database is away.');
    return written.push(batch.map(({ deviceId, state }) => deviceId + state.json.match(/[A-Z]{2}/)?.[0]));
  });
  for (const device of ['a', 'b']) see(sightings, device, 'DE');
  await sightings.flushed();
  for (const device of ['a', 'c']) see(sightings, device, 'FR');
  isAway = false;
  await sightings.flushed();
  expect(sightings.waiting).toBe(0);
  expect(written).toEqual([
    ['aDE', 'bDE'],
    ['aFR', 'cFR'],
  ]);
});
