import { setSourceMapsSupport } from 'node:module';

// Source maps are read together with the modules, so before any other is loaded. Those of libraries would take several
// megabytes of memory, for lines that nobody here looks up.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
await import('./server.js');
