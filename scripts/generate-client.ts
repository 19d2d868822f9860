import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/**
 * `npm run client:generate -- <file>`: writes the types of openapi.json, or of another document that is named second, for
 * a client with `openapi-fetch`. The command of openapi-typescript would take files for texts.
 */
const [target, source = join(import.meta.dirname, '../openapi.json')] = process.argv.slice(2);
if (target === undefined) throw new Error('Name the file to write: npm run client:generate -- slipway.ts');

const document = await readFile(source, 'utf8');
const blob = ts.factory.createTypeReferenceNode('Blob');

const types = await openapiTS(document, {
  // A field with a default may be left out of a request.
  defaultNonNullable: false,
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
await writeFile(resolve(process.env['INIT_CWD'] ?? '.', target), astToString(types));
