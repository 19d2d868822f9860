import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp, type TestApp } from '../builders/app.js';
import { makeAab } from '../support/native-builds/aab-writer.js';
import { makeApk } from '../support/native-builds/apk-writer.js';
import { importFile, startImport } from '../support/native-builds/imports.js';
import { makeIpa } from '../support/native-builds/ipa-writer.js';
import { Cli } from '../support/processes/cli.js';

let app: TestApp;
let cli: Cli;

beforeEach(async () => {
  app = await createApp();
  cli = await Cli.create(app.tenant.owner.token);
});

const builds = (command: string, id: string, ...args: string[]): string[] => [
  `apps:builds:${command}`,
  '--app-id',
  app.id,
  '--build-id',
  id,
  ...args,
];

const kinds = [
  ['apk', 'android', () => makeApk({ packageName: 'com.example.shop', signed: 'v3' })],
  ['aab', 'android', () => makeAab({ packageName: 'com.example.shop', signed: true })],
  ['ipa', 'ios', () => makeIpa({ packageName: 'com.example.shop' })],
] as const;

describe('the command-line tool', () => {
  it.each(kinds)('shows, follows and downloads an imported %s', async (type, platform, make) => {
    const bytes = await make();
    const artifact = { type, fileName: `shop.${type}` };
    const { id, job } = await importFile(app, bytes, { platform, artifact });
    expect(job.status).toBe('succeeded');
    expect(await cli.json(...builds('get', id))).toMatchObject({
      id,
      platform,
      packageName: 'com.example.shop',
      job: { status: 'succeeded' },
    });
    const logs = await cli.run(...builds('logs', id));
    expect(logs).toMatchObject({ exitCode: 0 });
    expect(logs.stdout).toContain(`Reading shop.${type}: `);
    expect(logs.stdout).toContain('Package: com.example.shop');
    expect(await cli.run(...builds('download', id, `--${type}`, `copy.${type}`))).toMatchObject({
      exitCode: 0,
    });
    expect((await readFile(join(cli.folder, `copy.${type}`))).equals(bytes)).toBe(true);
  });

  it('says why an import has failed, and downloads nothing of it', async () => {
    const { id, job } = await importFile(app, Buffer.from('<html>'));
    expect(job.status).toBe('failed');
    const reason = String(job['statusMessage']);
    expect((await cli.run(...builds('logs', id))).stdout).toContain(reason);
    expect((await cli.run(...builds('failure-summary', id))).stdout).toContain(reason);
    expect((await cli.run(...builds('download', id, '--apk', 'copy.apk'))).exitCode).toBe(1);
  });

  it('cancels an import that waits for its bytes', async () => {
    const { id, jobId } = await startImport(app, Buffer.from('apk'));
    expect(await cli.run(...builds('cancel', id))).toMatchObject({ exitCode: 0 });
    expect((await app.api.get(`/v1/jobs/${jobId}`)).body).toMatchObject({ status: 'canceled' });
    expect((await cli.run(...builds('logs', id))).stdout).toContain('The job was canceled.');
  });
});
