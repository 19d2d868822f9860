import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderErrors } from '../../scripts/docs/errors.js';
import { type ApiDocument, renderPermissions } from '../../scripts/docs/permissions.js';

const read = (path: string): Promise<string> => readFile(join(import.meta.dirname, '../..', path), 'utf8');

describe('the documents that npm run docs:generate writes', () => {
  it('has the current docs/permissions.md', async () => {
    const document = JSON.parse(await read('openapi.json')) as ApiDocument;
    expect(await read('docs/permissions.md')).toBe(renderPermissions(document));
  });

  it('has the current docs/errors.md', async () => {
    expect(await read('docs/errors.md')).toBe(renderErrors());
  });
});
