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

/** The process that builds. */
let building = null;
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
  if (building === null) process.exit(128 + constants.signals[signal]);
  building.kill(signal);
}

/** In a process of its own, because the compiler needs much memory. Ends this process when it fails. */
async function build() {
  building = spawn(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' });
  const [code, signal] = await once(building, 'exit');
  building = null;
  // Also when the build had finished before the signal reached it.
  const end = signal ?? stopped;
  if (end !== null) process.exit(128 + constants.signals[end]);
  if (code !== 0) process.exit(code);
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
