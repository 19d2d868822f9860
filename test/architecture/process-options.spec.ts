import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_OPTIONS } from '../setup/node-options.js';

const commandOf = (program: string): string[] => ['node', ...SHIPPED_OPTIONS, program];
const bundle = 'dist/slipway.js';

it.each([
  ['package.json', commandOf(bundle).join(' ')],
  ['docs/deployment.md', commandOf(bundle).join(' ')],
  ['Dockerfile', JSON.stringify(commandOf(bundle)).replaceAll(',', ', ')],
])('%s starts the server with the options of ADR 26', (file, command) => {
  expect(SHIPPED_OPTIONS).not.toEqual([]);
  expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toContain(command);
});
