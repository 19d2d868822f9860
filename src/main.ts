#!/usr/bin/env node
import { exitWith, onStopSignal } from './common/process/stop-signals.js';

// The first process of a container gets no signal without a handler. Commands set others.
onStopSignal(exitWith);

// Before any other import, because an older Node.js would fail there. Passwords need its Argon2.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write(
    `Slipway needs Node.js 24.7 or newer, and this is ${process.versions.node}: use "npm start" or "npm run slipway", which bring it along.\n`,
  );
  process.exit(1);
}

const { setSourceMapsSupport } = await import('node:module');
// Node.js reads source maps together with the modules, so this runs before any other import. The maps of libraries
// would take several megabytes of memory, for lines that are not ours.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
const { slipway } = await import('./commands/slipway.js');
await slipway(process.argv.slice(2));
