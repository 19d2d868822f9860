import { EventEpochs } from '../events/event-epochs.service.js';
import { command } from './command.js';
import { withApplication } from './with-application.js';

/** `slipway events new-epoch`: what a database needs that was restored from a backup. See docs/operations.md. */
export const eventsNewEpoch = command({
  options: {},
  details: 'Run it after you have restored a backup, before the servers start. All cursors of the feed end.',
  run: async () => {
    await withApplication(async (app) => {
      const { id, createdAt } = await app.get(EventEpochs, { strict: false }).begin();
      console.log(`The epoch ${id} began at ${createdAt.toISOString()}. Cursors from before it get a 410.`);
    });
  },
});
