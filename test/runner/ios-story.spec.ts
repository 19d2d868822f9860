import { createApp } from '../builders/app.js';
import { linkPrivateRepository } from '../builders/git-connection.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { hasNginxGit, NginxGitServer } from '../support/git/nginx-git-server.js';
import { Cli } from '../support/processes/cli.js';
import { makeIosCertificate } from '../support/runners/ios/ios-certificates.js';
import { IosMachine } from '../support/runners/ios/ios-machine.js';
import { BUNDLE_ID, capacitorIosProject } from '../support/runners/ios/ios-project.js';
import { startIosRunner, uploadIosCertificate } from '../support/runners/ios/ios-runner.js';
import { AppleSite } from '../support/stores/apple-submissions.js';

const REPOSITORY = 'acme/shop.git';

interface ShownBuild {
  readonly id: string;
  readonly destinationDeployments: readonly { readonly status: string; readonly appDeploymentId: string }[];
}

(hasNginxGit ? it : it.skip)(
  'turns a push into an ipa that testers install, and that TestFlight has',
  async () => {
    const site = await AppleSite.start();
    const git = await NginxGitServer.start();
    const app = await createApp(await createTenant(site.site));
    const published = await site.app(BUNDLE_ID, { app, tenant: app.tenant });
    const cli = await Cli.create(app.tenant.owner.token, site.site.origin);
    const machine = await IosMachine.create();
    const runner = await startIosRunner(app, machine, { origin: site.site.origin });
    const onApp = (command: string, ...args: string[]): string[] => [
      `apps:builds:${command}`,
      '--app-id',
      app.id,
      ...args,
    ];
    try {
      git.create(REPOSITORY);
      await linkPrivateRepository(app, git, REPOSITORY);
      git.push(REPOSITORY, 'main', 'The first version', capacitorIosProject(app.id, { hasPods: true }));
      await uploadIosCertificate(cli, app, 'Testers', makeIosCertificate('ad-hoc', [BUNDLE_ID]));
      await uploadIosCertificate(cli, app, 'Store', makeIosCertificate('app-store', [BUNDLE_ID]));

      // For testers: a page with the ipa.
      const source = ['--platform', 'ios', '--git-ref', 'main', '--yes'];
      const log = await cli.succeed(
        ...onApp('create', ...source, '--type', 'ad-hoc', '--certificate', 'Testers'),
      );
      expect(log).toContain('Pod installation complete!');
      const { body: builds } = await app.api.get(`${app.path}/builds`);
      const [build] = builds as ShownBuild[];
      expect(build).toMatchObject({ packageName: BUNDLE_ID, packageVersion: '1.2', gitRef: 'main' });
      const share = await cli.json<{ webUrl: string }>(...onApp('share', '--build-id', build!.id));
      const page = await fetch(share.webUrl);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('1.2')]);

      // For the store: the server submits what the runner has built.
      const { body: commits } = await app.api.post(`${app.path}/builds`, {
        platform: 'ios',
        type: 'app-store',
        gitRef: 'main',
        appCertificateName: 'Store',
        appDestinationId: published.destinationId,
      });
      const { id } = commits as ShownBuild;
      const { appDeploymentId } = await eventually(async () => {
        const { body } = await app.api.get(`${app.path}/builds/${id}`);
        const [deployment] = (body as ShownBuild).destinationDeployments;
        expect(deployment?.status).toBe('deployed');
        return deployment!;
      });
      const ended = await published.end(await published.deployment(appDeploymentId), 60_000);
      expect(ended.job.status).toBe('succeeded');
      expect(published.builds).toMatchObject([{ version: '1.2' }]);
    } finally {
      await runner.stop();
      await git.stop();
      await site.dispose();
    }
  },
  300_000,
);
