import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { verifyAudit } from '../../support/organizations/audit-log.js';
import { OwnSite } from '../../support/servers/own-site.js';

let site: OwnSite;
let folder: string;
beforeAll(async () => {
  site = await OwnSite.start();
  folder = await mkdtemp(join(tmpdir(), 'slipway-heads-'));
});
afterAll(async () => {
  await site.dispose();
  await rm(folder, { recursive: true });
});

const headLines = (): string[] => site.server.log.filter((line) => line.includes('"Audit head"'));

it('writes the heads to the log, in the form that the verification takes', async () => {
  const { organizationId } = await createTenant(site);
  await site.query(`INSERT INTO queue.job (name, data) VALUES ('audit-heads', '{}')`);
  await eventually(() => expect(headLines().join('')).toContain(organizationId), 40_000);
  const file = join(folder, 'heads.ndjson');
  await writeFile(file, headLines().join('\n'));
  const { code, output } = await verifyAudit(site.databaseUrl, '--heads', file);
  expect(output).toContain(organizationId);
  expect(output).not.toContain('WARNING');
  expect(code).toBe(0);
  const other = headLines()
    .join('\n')
    .replace(/"hash":"[0-9a-f]{64}"/, `"hash":"${'0'.repeat(64)}"`);
  await writeFile(file, other);
  expect((await verifyAudit(site.databaseUrl, '--heads', file)).code).toBe(1);
});
