import { eventually } from '../../support/eventually.js';
import { GitServer, hasGit } from '../../support/git/git-server.js';
import { WatchedApp, type WatchedBuild } from '../../support/git/watched-app.js';
import { makeAab } from '../../support/native-builds/aab-writer.js';
import { finishJob, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';
import { PlaySite } from '../../support/stores/play-submissions.js';

// Only a machine without git may skip this.
(hasGit ? it : it.skip)(
  'a tag becomes a release in Google Play, once',
  async () => {
    const playSite = await PlaySite.start();
    const git = await GitServer.start();
    try {
      const published = await playSite.app('com.example.tags');
      const { app, packageName } = published;
      const watched = await WatchedApp.create(git, app, playSite.site);
      const automation = await watched.waiting({
        platform: 'android',
        triggerType: 'tag',
        triggerPatterns: ['v*'],
        appDestinationId: published.destinationId,
      });
      const rotated = await app.api.post(`${app.path}/repository/hook/rotate-secret`);
      const { address, header, secret } = rotated.body as { address: string; header: string; secret: string };
      const report = async (): Promise<void> => {
        const headers = { [header]: secret, 'Content-Type': 'application/json' };
        expect((await fetch(address, { method: 'POST', headers, body: '{}' })).status).toBe(202);
      };

      watched.setRef('refs/tags/x1', watched.first);
      watched.setRef('refs/tags/v1.4.0', watched.first);
      await report();
      const build = await eventually(async () => {
        const [only, ...others] = await watched.builds();
        expect([only, others]).toMatchObject([
          { gitRef: 'refs/tags/v1.4.0', gitCommitSha: watched.first, appAutomationId: automation.id },
          [],
        ]);
        return only as WatchedBuild;
      });
      const lease = await takeJob(build.jobId, playSite.site);
      const aab = await makeAab({ packageName, versionCode: 7, signed: true });
      await uploadArtifact(lease, aab, { type: 'aab' });
      await finishJob(lease);
      await eventually(() => expect(published.released).toEqual(['production 7 completed']));

      await report();
      await watched.look();
      expect(await watched.builds()).toHaveLength(1);
      expect((await app.api.get(`${app.path}/deployments`)).body).toMatchObject([
        { appBuildId: build.id, submission: { state: 'prepared', versionCode: '7', track: 'production' } },
      ]);
      const events = `/v1/organizations/${app.tenant.organizationId}/events?types=app_deployment_created,git_tag`;
      expect((await app.api.get(events)).body).toMatchObject({
        events: [
          { type: 'git_tag', userId: null, data: { gitRef: 'refs/tags/v1.4.0' } },
          { type: 'app_deployment_created', userId: null, data: { appAutomationId: automation.id } },
        ],
      });
    } finally {
      await git.stop();
      await playSite.dispose();
    }
  },
  120_000,
);
