#!/usr/bin/env node
import { setSourceMapsSupport } from 'node:module';

// Node.js reads source maps together with the modules, so this runs before any other import. The maps of libraries
// would take several megabytes of memory, for lines that are not ours.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
const { slipway } = await import('./commands/slipway.js');
await slipway(process.argv.slice(2));
