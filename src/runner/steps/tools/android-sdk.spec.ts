import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBuildTools } from './android-sdk.js';

let sdk: string;
beforeEach(async () => {
  sdk = await mkdtemp(join(tmpdir(), 'slipway-sdk-'));
});
afterEach(() => rm(sdk, { recursive: true }));

async function makeTools(version: string, programs = ['apksigner', 'zipalign']): Promise<void> {
  const folder = join(sdk, 'build-tools', version);
  await mkdir(folder, { recursive: true });
  for (const program of programs) {
    await writeFile(join(folder, program), '#!/bin/sh\n');
    await chmod(join(folder, program), 0o755);
  }
}

describe('findBuildTools', () => {
  it('takes the newest that are complete', async () => {
    for (const version of ['9.0.0', '34.0.0', '35.0.0', '36.0.0-rc1']) await makeTools(version);
    await makeTools('37.0.0', ['zipalign']);
    expect(await findBuildTools(sdk)).toEqual({
      apksigner: join(sdk, 'build-tools/35.0.0/apksigner'),
      zipalign: join(sdk, 'build-tools/35.0.0/zipalign'),
      version: '35.0.0',
    });
  });

  it('takes those of the system without an SDK, and without build-tools in it', async () => {
    const system = await findBuildTools(null);
    expect(system?.version ?? null).toBeNull();
    expect(await findBuildTools(sdk)).toEqual(system);
  });
});
