import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { warningCodes } from '../../src/common/warnings/warning.js';

const root = join(import.meta.dirname, '../..');

it('docs/warnings.md has every code of warnings once, and no other', () => {
  const page = readFileSync(join(root, 'docs/warnings.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+(?:_[a-z0-9]+)+)` /gm)].map(([, code = '']) => code);
  expect(rows.sort()).toEqual([...warningCodes].sort());
});

it('has no code that the server does not use', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.spec\.ts$|common\/warnings\//.test(path))
    .map((path) => readFileSync(join(root, 'src', path), 'utf8'));
  expect(warningCodes.filter((code) => !sources.some((text) => text.includes(`'${code}'`)))).toEqual([]);
});
