import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { createTenant } from '../builders/identities.js';
import { query } from '../setup/databases.js';
import { depth, seed } from '../setup/depth.js';
import { freePort } from '../setup/free-port.js';
import { type ServerProcess, startServer } from '../setup/server.js';
import { eventually } from '../support/eventually.js';
import { GitServer, hasGit } from '../support/git/git-server.js';
import { WatchedApp } from '../support/git/watched-app.js';
import { zipOf } from '../support/live-updates/archives.js';
import { finishJob, takeJob, uploadArtifact } from '../support/native-builds/leases.js';
import { pick, randomOf } from '../support/random.js';
import { ClockedPostgres } from '../support/simulations/clocked-postgres.js';

const HOURS = 3_600_000;
/** How far the clock of the database jumps, in milliseconds. */
const JUMPS = [0, 8 * HOURS, -8 * HOURS, 60_000, -60_000];

const next = randomOf(seed);

// Only a machine without git may skip this.
(hasGit ? it : it.skip)(
  `decides each commit once, and the newest wins, although servers are killed and clocks jump (--seed=${seed})`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-automations-'));
    const postgres = await ClockedPostgres.start(join(folder, 'postgres'));
    const git = await GitServer.start();
    const port = await freePort();
    const site = { origin: `http://127.0.0.1:${port}`, databaseUrl: postgres.url };
    const env = { PORT: String(port), DATABASE_URL: postgres.url, DATA_DIR: join(folder, 'data') };
    let server: ServerProcess = await startServer(env);

    /** Kills the server while it works, lets the clock jump, and starts it again. What it was doing goes on immediately. */
    async function disturb(): Promise<void> {
      await sleep(next() * 400);
      await server.kill();
      await postgres.move(pick(JUMPS, next));
      server = await startServer(env);
      await query(
        postgres.url,
        `UPDATE queue.job SET state = 'retry', start_after = now() WHERE state = 'active'`,
      );
      // A clock that went back leaves times ahead: work that the queue put off is due then, too.
      await query(
        postgres.url,
        `UPDATE queue.job SET start_after = now() WHERE state IN ('created', 'retry') AND start_after > now()`,
      );
    }

    try {
      const app = await createApp(await createTenant(site));
      const channel = await createChannel(app);
      const watched = await WatchedApp.create(git, app, site);
      const automation = await watched.waiting({ triggerPatterns: ['main'], appChannelId: channel.id });
      const rotated = await app.api.post(`${app.path}/repository/hook/rotate-secret`);
      const { address, header, secret } = rotated.body as { address: string; header: string; secret: string };
      const report = async (): Promise<void> => {
        const headers = { [header]: secret, 'Content-Type': 'application/json' };
        expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(202);
      };
      const zip = await zipOf({ 'index.html': '<html>' });
      const commits: string[] = [];
      for (let round = 0; round < depth.killedPushes; round++) {
        const commit = watched.commit('main', `Round ${round}`);
        commits.push(commit);
        if (next() < 0.5) await report();
        else await watched.beDue();
        await disturb();
        // Git servers do not send a hook again that was not answered: the look that is due by then finds the push.
        await watched.beDue();
        const build = await eventually(async () => {
          const found = (await watched.builds()).find(({ gitCommitSha }) => gitCommitSha === commit);
          expect([seed, round, found?.gitCommitSha]).toEqual([seed, round, commit]);
          return found;
        });
        if (build === undefined || (next() < 0.4 && round < depth.killedPushes - 1)) continue;
        const lease = await takeJob(build.jobId, site);
        await uploadArtifact(lease, zip);
        await finishJob(lease);
        await disturb();
      }
      const expected = [...commits].sort();
      await eventually(async () => {
        const built = (await watched.builds()).map(({ gitCommitSha }) => gitCommitSha);
        expect([seed, built.sort()]).toEqual([seed, expected]);
        const decided = await query<{ sha: string }>(
          postgres.url,
          `SELECT commit_sha AS sha FROM git_events WHERE automation_id = $1 AND outcome = 'built'`,
          [automation.id],
        );
        expect([seed, decided.map(({ sha }) => sha).sort()]).toEqual([seed, expected]);
        const deployed = await query<{ sha: string; status: string }>(
          postgres.url,
          `SELECT build.git_commit_sha AS sha, planned.status
             FROM build_deployments AS planned JOIN builds AS build ON build.id = planned.build_id
            WHERE build.app_id = $1 AND planned.status <> 'failed' ORDER BY build.number DESC`,
          [app.id],
        );
        expect([seed, deployed[0]]).toEqual([seed, { sha: commits.at(-1), status: 'deployed' }]);
        expect(deployed.filter(({ status }) => status === 'waiting')).toEqual([]);
      });
      const order = await query<{ number: number }>(
        postgres.url,
        `SELECT build.number FROM deployments AS deployment JOIN builds AS build ON build.id = deployment.build_id
          WHERE deployment.channel_id = $1 ORDER BY deployment.sequence`,
        [channel.id],
      );
      const numbers = order.map(({ number }) => number);
      expect([seed, numbers]).toEqual([seed, numbers.toSorted((one, other) => one - other)]);
    } finally {
      await server.kill();
      await git.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
  600_000,
);
