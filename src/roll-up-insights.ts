import { RollUpService } from './devices/insights/roll-up.service.js';
import { runCommand, withApplication } from './start/command.js';

/** `npm run insights:rollup`: counts now what the server would count within the hour. See docs/insights.md. */
async function main(): Promise<void> {
  const days = await withApplication((context) => context.get(RollUpService, { strict: false }).run());
  console.log(`Counted ${days} days of apps.`);
}

runCommand(main);
