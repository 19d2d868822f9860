import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiDocument, renderPermissions } from '../../scripts/permissions/render.js';

const read = (path: string): Promise<string> => readFile(join(import.meta.dirname, '../..', path), 'utf8');

it('has the table of permissions in docs/permissions.md (npm run permissions:doc)', async () => {
  const document = JSON.parse(await read('openapi.json')) as ApiDocument;
  expect(await read('docs/permissions.md')).toBe(renderPermissions(document));
});
