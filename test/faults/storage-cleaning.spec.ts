import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { publishManifest, uploadBundle } from '../builders/publication.js';
import { eventually } from '../support/eventually.js';
import { OwnSite } from '../support/servers/own-site.js';

/* What a killed server leaves goes away by itself. */

const DAYS_AGO = new Date(Date.now() - 3 * 86_400_000);

let site: OwnSite;

beforeAll(async () => {
  // On a disk, whose files a test can make old.
  site = await OwnSite.start({ STORAGE: 'disk' });
  await uploadBundle(await createApp(await createTenant(site)));
  for (const id of await site.objects()) await utimes(site.pathOf(id), DAYS_AGO, DAYS_AGO);
});
afterAll(() => site.dispose());

async function writeOld(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'left');
  await utimes(path, DAYS_AGO, DAYS_AGO);
}

/** Runs the task as if its time had come. */
async function clean(): Promise<void> {
  const [job] = await site.query<{ id: string }>(
    `INSERT INTO queue.job (name, data) VALUES ('storage-clean', '{}') RETURNING id`,
  );
  await eventually(async () =>
    expect(await site.query('SELECT state FROM queue.job WHERE id = $1', [job?.id])).toEqual([
      { state: 'completed' },
    ]),
  );
}

it('removes abandoned writes and orphans, and nothing that is new or belongs to something', async () => {
  const owned = await site.objects();
  await writeOld(join(site.dataDir, 'storage/incoming', randomUUID()));
  await writeOld(site.pathOf(randomUUID()));
  const fresh = randomUUID();
  await writeOld(site.pathOf(fresh));
  await utimes(site.pathOf(fresh), new Date(), new Date());
  await clean();
  expect(await site.incoming()).toEqual([]);
  expect((await site.objects()).sort()).toEqual([...owned, fresh].sort());
});

it('removes no orphans when most objects are: the database may be another one', async () => {
  const count = (await site.objects()).length + 5;
  for (let i = 0; i < count; i++) await writeOld(site.pathOf(randomUUID()));
  const before = await site.objects();
  await clean();
  expect(await site.objects()).toEqual(before);
  expect(site.server.log.join('\n')).toContain('Many stored files belong to nothing in this database');
});

it('removes no orphans when there are many, though more objects belong to something', async () => {
  for (const id of await site.objects()) await rm(site.pathOf(id));
  const files = Array.from({ length: 110 }, (_, index) => [`${index}.bin`, randomBytes(100)]);
  const app = await createApp(await createTenant(site));
  await publishManifest(app, { 'index.html': 'x', ...Object.fromEntries(files) });
  for (const id of await site.objects()) await utimes(site.pathOf(id), DAYS_AGO, DAYS_AGO);
  for (let i = 0; i < 101; i++) await writeOld(site.pathOf(randomUUID()));
  const before = await site.objects();
  await clean();
  // A server may have made a generated zip meanwhile.
  expect(await site.objects()).toEqual(expect.arrayContaining(before));
});
