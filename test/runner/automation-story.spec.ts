import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../builders/app.js';
import { createAutomation } from '../builders/automation.js';
import { linkPrivateRepository } from '../builders/git-connection.js';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import { AndroidDevice } from '../support/devices/android.js';
import { eventually } from '../support/eventually.js';
import { hasNginxGit, NginxGitServer } from '../support/git/nginx-git-server.js';
import { RunnerProcess } from '../support/runners/runner-process.js';
import { registerRunner } from '../support/runners/start-runner.js';
import { webProject } from '../support/runners/web-project.js';

const REPOSITORY = 'acme/shop.git';

(hasNginxGit ? it : it.skip)(
  'turns pushes into updates on a device, by a hook and by polling',
  async () => {
    const app = await createApp();
    const { origin, databaseUrl } = testEnvironment();
    const git = await NginxGitServer.start();
    const dir = await mkdtemp(join(tmpdir(), 'slipway-runner-'));
    const runner = RunnerProcess.start({ origin, token: await registerRunner(app.tenant), dir });
    const device = new AndroidDevice({ appId: app.id });
    const push = (text: string): string => git.push(REPOSITORY, 'main', text, webProject(app.id, { text }));
    const shows = (text: string): Promise<void> =>
      eventually(async () => {
        await device.sync();
        expect(device.files.get('index.html')?.toString()).toContain(`<title>${text}</title>`);
      });
    try {
      git.create(REPOSITORY);
      await linkPrivateRepository(app, git, REPOSITORY);
      push('There before');
      const automation = await createAutomation(app, {
        triggerPattern: 'main',
        appChannelId: app.defaultChannelId,
      });
      await eventually(async () => {
        const sql = 'SELECT FROM automations WHERE id = $1 AND refs_recorded_at IS NOT NULL';
        expect(await query(databaseUrl, sql, [automation.id])).toHaveLength(1);
      });

      const rotated = await app.api.post(`${app.path}/repository/hook/rotate-secret`);
      const { address, header, secret } = rotated.body as { address: string; header: string; secret: string };
      const json = `--header 'Content-Type: application/json' --data '{}'`;
      git.afterPush(REPOSITORY, `curl --silent --fail --header '${header}: ${secret}' ${json} '${address}'`);
      const second = push('By hook');
      await shows('By hook');

      git.afterPush(REPOSITORY, null);
      const third = push('By polling');
      // The look that is due within the hour.
      await query(databaseUrl, 'UPDATE repository_looks SET next_look_at = now() WHERE app_id = $1', [
        app.id,
      ]);
      await shows('By polling');

      const { body: builds } = await app.api.get(`${app.path}/builds`);
      expect(builds).toMatchObject([
        { gitCommitSha: third, appAutomationId: automation.id },
        { gitCommitSha: second, appAutomationId: automation.id },
      ]);
      expect(builds).toHaveLength(2);
      // Nothing reported the last push, so the server looks as often as without a hook again.
      const look = 'SELECT reported_at AS time FROM repository_looks WHERE app_id = $1';
      expect(await query(databaseUrl, look, [app.id])).toEqual([{ time: null }]);
    } finally {
      await runner.stop();
      await rm(dir, { recursive: true });
      await git.stop();
    }
  },
  300_000,
);
