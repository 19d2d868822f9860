import { findSandbox } from '../../../../src/runner/sandbox/find-sandbox.js';
import type { SandboxOptions } from '../../../../src/runner/sandbox/sandbox-options.js';

// Prints the name of the sandbox of this machine, or why there is none.
const options = JSON.parse(process.argv[2] ?? '') as SandboxOptions;
const result = await findSandbox(options).then(
  ({ name }) => name,
  (error: Error) => `${error.constructor.name}: ${error.message}`,
);
process.stdout.write(`${result}\n`);
