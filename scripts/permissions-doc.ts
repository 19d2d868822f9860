import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiDocument, renderPermissions } from './permissions/render.ts';

/** `npm run permissions:doc`: writes docs/permissions.md. */
const root = join(import.meta.dirname, '..');
const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as ApiDocument;
await writeFile(join(root, 'docs/permissions.md'), renderPermissions(document));
