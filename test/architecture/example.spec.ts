import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changes } from '../examples/notes/changes.js';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'test/examples/notes');
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The code without imports, which an editor writes. */
const withoutImports = (code: string): string => code.replace(/^import [^;]*;\n/gm, '').trim();

it.each(globSync('{src,migrations,test}/**/*.ts', { cwd: example }))('CONTRIBUTING.md shows %s', (file) => {
  expect(contributing).toContain(withoutImports(readFileSync(join(example, file), 'utf8')));
});

it.each(changes)('CONTRIBUTING.md shows what goes to $file: $lines', ({ file, lines }) => {
  const compact = (text: string): string => text.replace(/\s+/g, ' ');
  expect(contributing).toContain(file);
  expect(compact(contributing)).toContain(compact(lines.trim()));
});
