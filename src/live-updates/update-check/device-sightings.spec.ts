import { Config } from '../../config/config.js';
import type { CustomIds } from './custom-ids.js';
import { DeviceSightings } from './device-sightings.js';
import type { DeviceSightingsQueries } from './device-sightings.queries.js';
import { parseUpdateCheck } from './update-check-request.js';

it('leaves a database alone for a moment that cannot be used, however many devices ask', async () => {
  let attempts = 0;
  const queries = {
    write: () => Promise.reject(new Error(`The database is away for the ${++attempts}. time.`)),
  } as unknown as DeviceSightingsQueries;
  const customIds = { toStored: () => Promise.resolve([]) } as unknown as CustomIds;
  const sightings = new DeviceSightings(queries, customIds, new Config());
  const see = (deviceId: string): void =>
    sightings.record({
      appId: 'app',
      deviceId,
      customId: null,
      report: parseUpdateCheck('/?platform=0').report,
      country: null,
      channelId: null,
      deploymentId: null,
      runsOffered: false,
    });
  for (let n = 0; n < 2000; n++) see(`early ${n}`);
  await sightings.written();
  const before = attempts;
  for (let n = 0; n < 2000; n++) {
    see(`late ${n}`);
    if (n % 100 === 0) await new Promise(setImmediate);
  }
  expect(attempts).toBe(before);
  expect(sightings.waiting).toBe(4000);
});
