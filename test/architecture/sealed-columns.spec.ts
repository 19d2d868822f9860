import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealedColumns } from '../../src/sealed-columns.js';

const root = join(import.meta.dirname, '../..');
const read = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(sql|ts)$/.test(path) && !path.endsWith('.spec.ts'))
    .map((path) => readFileSync(join(root, folder, path), 'utf8'));

const matches = (texts: readonly string[], pattern: RegExp): Set<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found)));

it('lists every table with secrets, so that changing the encryption key reaches them', () => {
  const tables = matches(read('migrations'), /CREATE TABLE "?(\w+)/g);
  const sealing = read('src').filter((text) => text.includes('secrets/secret-box.js'));
  const contexts = matches(sealing, /`([a-z_-]+):\$\{/g);
  expect([...contexts].filter((context) => tables.has(context)).sort()).toEqual(
    [...new Set(sealedColumns.map(({ table }) => table))].sort(),
  );
});
