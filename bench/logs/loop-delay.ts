import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/*
 * Loaded by a server before its program: at each `SIGUSR2`, it writes how long the event loop was held since the one before, in
 * milliseconds, to the file `LOOP_DELAY_FILE`.
 */

const file = process.env['LOOP_DELAY_FILE'] ?? '';
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }));
  delay.reset();
});
