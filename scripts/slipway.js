import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';

/*
 * `npm start` and `npm run slipway`: builds, then becomes `dist/slipway.js`. One plain command in package.json, which every
 * shell of npm can run, and no process in between: signals reach the program, and its exit code is that of npm. Plain
 * JavaScript, because Node.js would keep what it needs to read TypeScript in the memory of the server.
 */
const SIGNALS = ['SIGINT', 'SIGTERM'];
/** How often the parent is looked for, in milliseconds. */
const INTERVAL = 500;

/** The processes that build. */
let building = [];
/** The first signal during the build. */
let stopped = null;
// Until the program has its own: between two listeners, a signal would be lost.
for (const signal of SIGNALS) process.on(signal, stop);
stopWithParent();
await build();
// What starts further processes of the program finds it there.
process.argv[1] = join(import.meta.dirname, '../dist/slipway.js');
await import('../dist/slipway.js');

function stop(signal) {
  stopped ??= signal;
  if (building.length === 0) process.exit(128 + constants.signals[signal]);
  for (const each of building) each.kill(signal);
}

/**
 * In processes of their own, because the compilers need much memory. Ends this process when one fails. Only a server needs
 * the console.
 */
async function build() {
  const [command = 'start'] = process.argv.slice(2);
  const scripts = command === 'start' ? ['build.ts', 'build-console.ts'] : ['build.ts'];
  building = scripts.map((script) =>
    spawn(process.execPath, [join(import.meta.dirname, script)], { stdio: 'inherit' }),
  );
  const ends = await Promise.all(building.map((each) => once(each, 'exit')));
  building = [];
  // Also when the builds had finished before the signal reached them.
  const end = ends.map(([, signal]) => signal).find((signal) => signal !== null) ?? stopped;
  if (end !== null) process.exit(128 + constants.signals[end]);
  const failed = ends.map(([code]) => code).find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
}

/**
 * npm passes a signal on to its shell and ends with it. Some shells, such as dash, end without passing it on: then this
 * process sees that its parent is another one.
 */
function stopWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL);
  timer.unref();
}
