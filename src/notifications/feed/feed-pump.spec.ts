import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { UnauthenticatedError } from '../../common/errors/app-error.js';
import type { ChangeSignals } from '../../database/change-signals.js';
import type { FeedAccessService, FeedCaller } from './feed-access.service.js';
import type { FeedQueries } from './feed.queries.js';
import { FeedPump } from './feed-pump.js';
import { FeedReader } from './feed-reader.js';
import { FeedReaders } from './feed-readers.js';

const organizationId = '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa';
const caller = { caller: { principal: { userId: 'ada' } }, organizationId } as unknown as FeedCaller;

it('checks callers again, also while events follow each other without a pause', async () => {
  jest.spyOn(performance, 'now').mockReturnValue(60_000);
  const revoked = new UnauthenticatedError('The token is not valid.', true);
  const queries = {
    bounds: () => Promise.resolve([]),
    boundsOf: () => Promise.resolve({ epoch: null }),
    readAll: async () => {
      pump.notified(organizationId);
      await turn();
      return [];
    },
  };
  const access = {
    readAgain: (callers: unknown[]) => Promise.resolve(callers),
    authorize: () => Promise.reject(revoked),
  };
  const readers = new FeedReaders();
  const pump = new FeedPump(
    readers,
    queries as unknown as FeedQueries,
    access as unknown as FeedAccessService,
    { listen: () => undefined } as unknown as ChangeSignals,
  );
  const reader = new FeedReader(caller, { types: null, appId: null, channelId: null, objectIds: null }, 50);
  readers.join(reader);
  const ended = reader.wait({ epoch: null, position: 0 }, 30_000, new AbortController().signal);
  pump.notified(organizationId);
  await pump.start();
  expect(await ended).toBe(revoked);
  await pump.stop();
});
