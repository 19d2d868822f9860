import { RollUpService } from '../devices/insights/roll-up.service.js';
import { command } from './command.js';
import { withApplication } from './with-application.js';

/** `slipway insights roll-up`. See docs/insights.md. */
export const insightsRollUp = command({
  options: {},
  run: async () => {
    const days = await withApplication((context) => context.get(RollUpService, { strict: false }).run());
    console.log(`Counted ${days} days of apps.`);
  },
});
