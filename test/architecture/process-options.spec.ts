import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED_OPTIONS } from '../setup/node-options.js';

const MAIN = 'dist/src/main.js';
const words = ['node', ...SHIPPED_OPTIONS, MAIN];

it.each([
  ['package.json', 2, words.join(' ')],
  ['docs/deployment.md', 1, words.join(' ')],
  ['Dockerfile', 1, words.map((word) => `"${word}"`).join(', ')],
])('%s starts the server with the options of ADR 26 wherever it does', (file, starts, command) => {
  const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  expect(text.split(MAIN)).toHaveLength(starts + 1);
  expect(text.split(command)).toHaveLength(starts + 1);
});
