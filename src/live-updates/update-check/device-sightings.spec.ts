import { Config } from '../../config/config.js';
import type { CustomIds } from './custom-ids.js';
import { DeviceSightings } from './device-sightings.js';
import type { DeviceSightingsQueries } from './device-sightings.queries.js';
import type { Sighting } from './sighting.js';
import { parseUpdateCheck } from './update-check-request.js';

/** @param write stands for the database */
function sightingsWith(write: (batch: readonly Sighting[]) => Promise<number>): DeviceSightings {
  const queries = { write } as unknown as DeviceSightingsQueries;
  const customIds = { toStored: () => Promise.resolve([]) } as unknown as CustomIds;
  return new DeviceSightings(queries, customIds, new Config());
}

function see(sightings: DeviceSightings, deviceId: string, country: string | null = null): void {
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
  await sightings.written();
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
  await sightings.written();
  for (const device of ['a', 'c']) see(sightings, device, 'FR');
  isAway = false;
  await sightings.written();
  expect(sightings.waiting).toBe(0);
  expect(written).toEqual([
    ['aDE', 'bDE'],
    ['aFR', 'cFR'],
  ]);
});
