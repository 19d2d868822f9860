import { execFile } from 'node:child_process';
import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTenant } from '../builders/identities.js';
import { testEnvironment } from '../setup/test-environment.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A project of a user who wants a client: our types, `openapi-fetch`, and what is in `generated-client`. */
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await Promise.all([
    cp(join(import.meta.dirname, 'generated-client'), folder, { recursive: true }),
    symlink(join(root, 'node_modules'), join(folder, 'node_modules')),
    run(process.execPath, [join(root, 'scripts/generate-client.ts'), join(folder, 'slipway.ts')]),
  ]);
});

it('has types that leave nothing open', async () => {
  const types = await readFile(join(folder, 'slipway.ts'), 'utf8');
  const open = types
    .replace(/\/\*\*.*?\*\//gs, '')
    // Any answer may have further headers, and the audit log shows fields of any object.
    .replaceAll('[name: string]: unknown;', '')
    .replaceAll('[key: string]: unknown;', '')
    .replace(/^export type (?:webhooks|\$defs) = .*$/gm, '')
    .match(/^.*(?:\bunknown\b|\bany;|Record<string, never>).*$/gm);
  expect(open).toBeNull();
});

it('compiles strictly where it is used well, and only there, and speaks with the server', async () => {
  const { owner, organizationId } = await createTenant();
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
  const { stdout } = await run(process.execPath, [join(folder, 'built/story.js')], {
    env: {
      SLIPWAY_URL: testEnvironment().origin,
      SLIPWAY_TOKEN: owner.token,
      ORGANIZATION_ID: organizationId,
    },
  });
  expect(JSON.parse(stdout)).toEqual({
    app: { name: 'Generated', type: 'capacitor' },
    page: { names: ['default'], total: 2, link: expect.stringContaining('rel="prev"') },
    expiresAt: ['2030-01-01T00:00:00.000Z', null],
    name: 'beta',
    stale: 'precondition_failed',
    discovered: [false, false],
    known: [true, true],
    permissions: ['apps:read', 'builds:read'],
    file: 201,
    unpublished: { status: 404, code: 'file_not_found' },
    missing: { status: 404, code: 'app_not_found', message: 'App not found.' },
    invalid: ['name'],
  });
});
