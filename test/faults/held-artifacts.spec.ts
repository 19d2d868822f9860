import { createApp, type TestApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { expectCreated } from '../support/http/expect-created.js';
import { createFinishedBuild, type FinishedBuild } from '../support/native-builds/finished-builds.js';
import { OwnSite } from '../support/servers/own-site.js';
import { runQueue } from '../support/servers/run-queue.js';
import { createDestination, releaseFile, type StoreDeployment } from '../support/stores/store-builds.js';

let site: OwnSite;
let app: TestApp;
let appDestinationId: string;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
  appDestinationId = (await createDestination(app)).id;
});
afterAll(() => site.dispose());

const retain = (): Promise<void> => runQueue(site, 'build-retention');
const submit = ({ id }: Pick<FinishedBuild, 'id'>) =>
  app.api.post(`${app.path}/deployments`, { appBuildId: id, appDestinationId });

/** A build with an aab and symbols that are years old. */
async function oldBuild(): Promise<FinishedBuild> {
  const build = await createFinishedBuild(app, [releaseFile(), { type: 'zip' }], {}, 'succeeded', site);
  await site.query(`UPDATE build_artifacts SET updated_at = now() - interval '9 years' WHERE build_id = $1`, [
    build.id,
  ]);
  return build;
}

const left = async ({ artifactIds }: FinishedBuild): Promise<boolean[]> => {
  const rows = await site.query<{ id: string }>('SELECT id FROM build_artifacts');
  return artifactIds.map((id) => rows.some((row) => row.id === id));
};

it('keeps the artifacts of a build that is being submitted, until the submission has ended', async () => {
  const [submitted, other] = [await oldBuild(), await oldBuild()];
  const { jobId } = expectCreated<StoreDeployment>(await submit(submitted));
  await retain();
  expect([await left(submitted), await left(other)]).toEqual([
    [true, true],
    [false, false],
  ]);
  expect((await app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' })).status).toBe(200);
  await retain();
  expect(await left(submitted)).toEqual([false, false]);
});

it('goes past as many kept artifacts as one transaction looks at', async () => {
  const kept = await oldBuild();
  expectCreated(await submit(kept));
  await site.query(
    `INSERT INTO build_artifacts (id, build_id, type, status, blob_id, created_at, updated_at)
     SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, build_id, 'zip', status, blob_id, created_at, updated_at
       FROM build_artifacts CROSS JOIN generate_series(1, 600) AS n WHERE id = $1`,
    [kept.artifactIds[0]],
  );
  const due = await oldBuild();
  await retain();
  expect(await left(due)).toEqual([false, false]);
  const rows = await site.query('SELECT FROM build_artifacts WHERE build_id = $1', [kept.id]);
  expect(rows).toHaveLength(602);
});

it('keeps an artifact that is submitted at the same moment, or the submission is refused', async () => {
  for (let round = 0; round < 4; round++) {
    const builds: FinishedBuild[] = [];
    for (let count = 0; count < 8; count++) builds.push(await oldBuild());
    const [responses] = await Promise.all([Promise.all(builds.map(submit)), retain()]);
    for (const [index, { status }] of responses.entries()) {
      const [aab] = await left(builds[index] as FinishedBuild);
      expect([status, aab]).toEqual(status === 201 ? [201, true] : [400, false]);
    }
  }
});
