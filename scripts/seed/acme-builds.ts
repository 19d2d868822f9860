import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { zipOf } from '../../test/support/live-updates/archives.ts';
import { Api } from '../demo/api.ts';

/** Builds as the pictures show them, by how they are. */
export interface SeededBuilds {
  readonly succeeded: string;
  readonly failed: string;
  readonly running: string;
  /** For which there is no runner. */
  readonly waiting: string;
}

/** Who owns the builds, and whose they are. */
export interface BuildsOwner {
  readonly api: Api;
  readonly userId: string;
  readonly organizationId: string;
  readonly appId: string;
  /** Where the build went that has succeeded. */
  readonly channelId: string;
}

/** What a build is made of. */
interface Commit {
  readonly ref: string;
  readonly sha: string;
  readonly message: string;
}

const RED = '\u001B[31m';
const GREEN = '\u001B[32m';
const GREY = '\u001B[90m';
const END = '\u001B[39m';

const INSTALL = [
  '§ Installing dependencies: npm ci',
  ...Array.from(
    { length: 108 },
    (_, n) => `${GREY}npm http fetch GET 200${END} https://registry.npmjs.org/package-${n} 12ms`,
  ),
  'added 512 packages in 40s',
  '§ Installing dependencies took 41.0 s',
];
const BUILD = [
  '§ Building: npm run build',
  '',
  '> shop@2.4.1 build',
  '> vite build',
  '',
  `${GREEN}vite v8.1.0${END} building for production...`,
];
const FAILURE = [
  'src/checkout/Pay.tsx (14:9): "formatPrice" is not exported by "src/money.ts", imported by "src/checkout/Pay.tsx".',
  `${RED}error during build:${END}`,
  `${RED}RollupError: src/checkout/Pay.tsx (14:9): "formatPrice" is not exported by "src/money.ts", imported by "src/checkout/Pay.tsx".${END}`,
  '    at getRollupError (node_modules/rollup/dist/es/shared/parseAst.js:396:41)',
  'npm error Lifecycle script `build` failed with error:',
  'npm error code 1',
  '§ Building took 58.0 s',
  '§ The command "npm run build" failed with exit code 1.',
];
const SUCCESS = [
  `${GREY}dist/${END}index.html                  ${GREY}1.24 kB │ gzip:  0.61 kB${END}`,
  `${GREY}dist/assets/${END}index-B4kLm2.js    ${GREY}412.80 kB │ gzip: 131.02 kB${END}`,
  `${GREEN}✓ built in 52.31s${END}`,
  '§ Building took 58.0 s',
  '§ Packing 24 files to www.zip',
];

/** Writes builds with their logs: what a request starts is written to the database, what a runner does goes through the API. */
export async function seedBuilds(
  origin: string,
  client: pg.Client,
  owner: BuildsOwner,
): Promise<SeededBuilds> {
  const runner = await openRunner(origin, owner);
  const start = (commit: Commit, values: Partial<StartedBuild> = {}): Promise<StartedBuild> =>
    startBuild(client, owner, commit, values);
  const path = `/v1/apps/${owner.appId}`;

  const main = { ref: 'main', sha: '9f3c1ab2', message: 'Offline cart' };
  const succeeded = await start(main);
  const made = await runner.take();
  await made.print([...INSTALL, ...BUILD, ...SUCCESS]);
  await made.upload();
  await made.finish('succeeded');
  await owner.api.post(`${path}/deployments`, { appBuildId: succeeded.id, appChannelId: owner.channelId });
  await owner.api.post(`${path}/builds/${succeeded.id}/shares`, {
    description: 'For the testers of the cart.',
  });
  await setTimes(client, succeeded, 190, 101);

  const failed = await start({ ref: 'fix/ipad', sha: '77e0d12c', message: 'Fix checkout on iPad' });
  const broken = await runner.take();
  await broken.print([...INSTALL, ...BUILD, ...FAILURE]);
  await broken.finish('failed', 'build');
  await setTimes(client, failed, 95, 102);

  const running = await start({ ref: 'fix/ipad', sha: 'b7720da1', message: 'Export formatPrice' });
  const open = await runner.take();
  await open.print([...INSTALL, ...BUILD]);
  const waiting = await start(main, { platform: 'android', type: 'release', labels: ['mac'] });
  return { succeeded: succeeded.id, failed: failed.id, running: running.id, waiting: waiting.id };
}

interface StartedBuild {
  readonly id: string;
  readonly jobId: string;
  readonly platform: string;
  readonly type: string | null;
  readonly labels: readonly string[];
}

async function startBuild(
  client: pg.Client,
  { userId, organizationId, appId }: BuildsOwner,
  { ref, sha, message }: Commit,
  values: Partial<StartedBuild>,
): Promise<StartedBuild> {
  const build = { id: randomUUID(), jobId: randomUUID(), platform: 'web', type: null, labels: [], ...values };
  await client.query(
    `INSERT INTO jobs (id, organization_id, app_id, kind, status, platform, stack, labels, subject_id, created_by, queued_at)
     VALUES ($1, $2, $3, 'build', 'queued', $4, 'macos-tahoe', $5, $6, $7, now())`,
    [build.jobId, organizationId, appId, build.platform, build.labels, build.id, userId],
  );
  await client.query(
    `INSERT INTO builds (id, app_id, number, platform, type, job_id, created_by, git_ref, git_commit_sha, git_commit_message)
     SELECT $1, $2, last_build_number + 1, $3, $4, $5, $6, $7, $8, $9 FROM apps WHERE id = $2`,
    [build.id, appId, build.platform, build.type, build.jobId, userId, ref, sha.repeat(5), message],
  );
  await client.query(
    `UPDATE apps SET last_build_number = last_build_number + 1, next_build_number = last_build_number + 2 WHERE id = $1`,
    [appId],
  );
  await client.query(`SELECT pg_notify('jobs', $1)`, [organizationId]);
  return build;
}

/** Moves a build that has ended. @param minutesAgo when it was started @param seconds that it took */
async function setTimes(
  client: pg.Client,
  { id, jobId }: StartedBuild,
  minutesAgo: number,
  seconds: number,
): Promise<void> {
  await client.query(
    `UPDATE jobs SET created_at = at, queued_at = at, pending_at = at + interval '3 seconds',
            in_progress_at = at + interval '4 seconds', finished_at = at + make_interval(secs => 4 + $3)
       FROM (SELECT now() - make_interval(mins => $2) AS at) AS moment WHERE id = $1`,
    [jobId, minutesAgo, seconds],
  );
  await client.query('UPDATE builds SET created_at = now() - make_interval(mins => $2) WHERE id = $1', [
    id,
    minutesAgo,
  ]);
}

/** A job, as its runner works on it. */
interface RunnerJob {
  print(lines: readonly string[]): Promise<void>;
  /** A web bundle. */
  upload(): Promise<void>;
  finish(status: string, step?: string): Promise<void>;
}

/** A runner for the web, which takes the oldest job that waits. */
async function openRunner(
  origin: string,
  { api, organizationId }: BuildsOwner,
): Promise<{ take(): Promise<RunnerJob> }> {
  const { token } = await api.post<{ token: string }>(`/v1/organizations/${organizationId}/runners`, {
    name: 'Rack 2',
  });
  const runner = new Api(origin, token);
  const { id: sessionId } = await runner.post<{ id: string }>('/v1/runner/sessions', {
    version: '1.0.0',
    os: 'linux',
    arch: 'x64',
    platforms: ['web', 'android'],
    stacks: [],
    labels: [],
    slots: 4,
  });
  return {
    take: async () => {
      const claim = { sessionId, claimId: randomUUID() };
      const { job, jobToken } = await runner.post<{ job: { attempt: number }; jobToken: string }>(
        '/v1/runner/claims',
        claim,
      );
      const own = new Api(origin, jobToken);
      await own.post('/v1/runner/job/start', {});
      let sent = 0;
      return {
        print: async (lines) => {
          const body = Buffer.from(`${lines.join('\n')}\n`);
          const response = await fetch(`${origin}/v1/runner/job/log`, {
            method: 'PATCH',
            headers: {
              Authorization: `Bearer ${jobToken}`,
              'Content-Type': 'text/plain',
              'Upload-Offset': String(sent),
            },
            body,
          });
          if (!response.ok) throw new Error(await response.text());
          sent += body.length;
        },
        upload: () => uploadBundle(own),
        finish: async (status, step) => {
          const ending = { attempt: job.attempt, status, logBytes: sent };
          await own.post('/v1/runner/job/finish', step === undefined ? ending : { ...ending, step });
        },
      };
    },
  };
}

async function uploadBundle(job: Api): Promise<void> {
  const zip = await zipOf({ 'index.html': '<!doctype html><title>Shop</title>' });
  const { id } = await job.post<{ id: string }>('/v1/runner/job/artifacts', {
    type: 'zip',
    fileName: 'www.zip',
    fileSizeInBytes: zip.length,
    sha256: createHash('sha256').update(zip).digest('hex'),
  });
  const path = `/v1/runner/job/artifacts/${id}/upload?action=`;
  const { uploadId } = await job.post<{ uploadId: string }>(`${path}mpu-create`, {});
  const form = new FormData();
  form.set('partNumber', '1');
  form.set('blob', new Blob([new Uint8Array(zip)]));
  const part = await job.put(`${path}mpu-uploadpart&uploadId=${uploadId}`, form);
  await job.post(`${path}mpu-complete&uploadId=${uploadId}`, { parts: [part] });
}
