import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from './version.js';

it('is that of package.json', () => {
  const path = join(import.meta.dirname, '../../package.json');
  expect((JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version).toBe(VERSION);
});
