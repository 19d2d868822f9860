import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_OPTIONS } from '../setup/node-options.js';

const words = ['node', ...SHIPPED_OPTIONS, 'dist/src/main.js'];

it.each([
  ['package.json', words.join(' ')],
  ['docs/deployment.md', words.join(' ')],
  ['Dockerfile', words.map((word) => `"${word}"`).join(', ')],
])('%s starts the server with the options of ADR 26', (file, command) => {
  expect(SHIPPED_OPTIONS).not.toEqual([]);
  expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toContain(command);
});
