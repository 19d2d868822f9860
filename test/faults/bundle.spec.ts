import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { publishZip } from '../builders/publication.js';
import { type ServerProcess, startServer } from '../setup/server.js';
import { OwnSite } from '../support/servers/own-site.js';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'dist/slipway.js');
const run = promisify(execFile);

let site: OwnSite;
let server: ServerProcess;

beforeAll(async () => {
  [site] = await Promise.all([OwnSite.start(), run(process.execPath, [join(root, 'scripts/bundle.ts')])]);
  await site.server.stop();
  const variables = { DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir, WORKERS: '2' };
  server = await startServer(variables, { program });
});
afterAll(async () => {
  await server.stop();
  await site.dispose();
});

it('publishes and serves an update from several processes', async () => {
  const app = await createApp(await createTenant({ origin: server.origin, databaseUrl: site.databaseUrl }));
  // Installs it as every platform does.
  await publishZip(app, { 'index.html': '<h1>Hello</h1>' });
});

it.each(['/docs', '/docs/swagger-ui.css', '/docs-json', '/login'])('serves %s', async (path) => {
  expect((await fetch(server.origin + path)).status).toBe(200);
});

it('migrates', async () => {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: site.databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  };
  const { stdout } = await run(process.execPath, [program, 'migrate'], { env });
  expect(stdout).toBe('The schema is up to date.\n');
});
