import { decode } from 'fast-png';
import { createApp, type TestApp } from '../builders/app.js';
import { eventually } from '../support/eventually.js';
import { makeApk } from '../support/native-builds/apk-writer.js';
import { createFinishedBuild } from '../support/native-builds/finished-builds.js';
import { importFile } from '../support/native-builds/imports.js';
import { Cli, type CliResult } from '../support/processes/cli.js';

interface SharedByCli {
  readonly id: string;
  readonly qrCodeUrl: string;
  readonly webUrl: string;
  readonly expiresAt: string | null;
}

let app: TestApp;
let cli: Cli;
beforeAll(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const run = (command: string, ...args: string[]): Promise<CliResult> =>
  cli.run(`apps:builds:${command}`, '--app-id', app.id, ...args);
const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

describe('the command-line tool', () => {
  it('shares an app that was imported, on a page from which a tester downloads it', async () => {
    const bytes = await makeApk({ versionName: '3.2.1', label: 'Corner shop', signed: 'v2' });
    const { id, job } = await importFile(app, bytes);
    expect(job.status).toBe('succeeded');
    const printed = await run('share', '--build-id', id, '--description', 'For the testers', '--json');
    expect(printed).toMatchObject({ exitCode: 0 });
    const shared = JSON.parse(printed.stdout) as SharedByCli;
    const page = await fetch(shared.webUrl);
    expect(page.status).toBe(200);
    const html = await page.text();
    for (const text of ['Shop', 'Corner shop', '3.2.1', 'For the testers', 'app-icon']) {
      expect(html).toContain(text);
    }
    const path = /href="([^"]+\/download)"/.exec(html)?.[1] ?? '';
    const downloaded = await fetch(new URL(path, shared.webUrl));
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true);
    const image = await fetch(shared.qrCodeUrl);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(decode(new Uint8Array(await image.arrayBuffer())).width).toBeGreaterThan(100);
    const icon = /src="([^"]+\/icon)"/.exec(html)?.[1] ?? '';
    const shown = await fetch(new URL(icon, shared.webUrl));
    expect(shown.headers.get('content-type')).toBe('image/png');
  });

  it('shares by number and with an end, and takes shares down', async () => {
    const { id } = await createFinishedBuild(app);
    const { body } = await app.api.get(`${app.path}/builds/${id}`);
    const { numberAsString } = body as { numberAsString: string };
    const printed = await run('share', '--build-number', numberAsString, '--expires-in-days', '7');
    expect(printed).toMatchObject({ exitCode: 0 });
    const url =
      /https?:\/\/\S+\/app-build-shares\/[0-9a-f-]+/.exec(printed.stdout + printed.stderr)?.[0] ?? '';
    expect(await textOf(url)).toContain('This page works until');
    expect(await run('unshare', '--build-id', id, '--yes')).toMatchObject({ exitCode: 0 });
    await eventually(async () => expect((await fetch(url)).status).toBe(404));
    expect((await run('unshare', '--build-id', id, '--yes')).exitCode).toBe(1);
  });

  it('says that a build has not succeeded', async () => {
    const { id } = await createFinishedBuild(app, [], {}, 'failed');
    const refused = await run('share', '--build-id', id);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('has not succeeded');
  });
});
