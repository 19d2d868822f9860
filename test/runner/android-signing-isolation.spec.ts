import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JobFolderStore } from '../../src/runner/folders/job-folder-store.js';
import type { BuildTools } from '../../src/runner/steps/tools/android-sdk.js';
import { eventually } from '../support/eventually.js';
import { filesWith } from '../support/processes/files-with.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { hasAndroidTools } from '../support/runners/android/android-tools.js';
import {
  KEY_PASSWORD,
  makeKeystore,
  STORE_PASSWORD,
  type TestKeystore,
} from '../support/runners/android/keystores.js';
import type { SignAndHang } from '../support/runners/android/sign-and-hang.js';
import { machineTools, SigningBench } from '../support/runners/android/signing-bench.js';
import { makeUnsignedApk } from '../support/runners/android/unsigned-apk.js';
import { hasSandbox, markedProcesses, options, programOf } from '../support/runners/sandbox/jobs.js';

const describeSigning = hasAndroidTools && hasSandbox ? describe : describe.skip;
const HANG = 'while :; do sleep 1; done';

/** Stands in for apksigner. @returns its folder has a name that no other process has in its command line */
async function standIn(script: string): Promise<BuildTools> {
  const apksigner = join(await temporaryFolder(), 'apksigner');
  writeFileSync(apksigner, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { apksigner, zipalign: '/usr/bin/zipalign', version: null };
}

describeSigning('what signs', () => {
  let bench: SigningBench;
  let jks: TestKeystore;
  let apk: Buffer;
  /** Bytes that every copy of the keystore has. */
  let key: Buffer;

  beforeAll(async () => {
    const keys = [{ alias: 'upload', keyPassword: KEY_PASSWORD }];
    jks = await makeKeystore('JKS', keys, { keyPassword: KEY_PASSWORD });
    key = Buffer.from(jks.certificate.file, 'base64').subarray(100, 200);
    apk = await makeUnsignedApk();
  });
  beforeEach(() => {
    bench = new SigningBench();
  });
  afterEach(() => bench.remove());

  const sign = (buildTools: BuildTools, signal?: AbortSignal) =>
    bench.sign({
      type: 'apk',
      bytes: apk,
      certificate: jks.certificate,
      tools: { buildTools },
      ...(signal && { signal }),
    });

  it('has the passwords in its environment, nothing of the build, and no network', async () => {
    for (const folder of [bench.folders.repo, bench.folders.home, bench.folders.cache]) {
      writeFileSync(join(folder, 'planted'), 'x');
    }
    process.env['JDK_JAVA_OPTIONS'] = '-Dplanted=true';
    const buildTools = await standIn(`
      echo "arguments: $*"
      echo "names: $(env | cut -d= -f1 | sort | tr '\\n' ' ')"
      [ "$SIGNING_STORE_PASSWORD" = '${STORE_PASSWORD.replaceAll("'", String.raw`'\''`)}' ] && [ "$SIGNING_KEY_PASSWORD" = '${KEY_PASSWORD}' ] && echo 'passwords: right'
      echo "files: $(ls -A | tr '\\n' ' ')"
      echo "planted: $(find / -name planted -not -path '/proc/*' 2>/dev/null)"
      echo "interfaces: $(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' \\n')"
      echo "key: $(stat -c '%a %s' /run/keys/keystore)"
      exit 1`);
    const { log, error } = await sign(buildTools);
    delete process.env['JDK_JAVA_OPTIONS'];
    expect(log).toMatch(/^arguments: -JXmx512m .*sign --ks \/run\/keys\/keystore --ks-key-alias upload /m);
    expect(log).toMatch(
      /^names: (_ )?HOME JAVA_HOME LANG (OLDPWD )?PATH PWD (SHLVL )?SIGNING_KEY_PASSWORD SIGNING_STORE_PASSWORD TMPDIR USER (_ )?$/m,
    );
    expect(log).toContain('passwords: right\n');
    expect(log).toContain('files: aligned.apk unsigned.apk \n');
    expect(log).toContain('planted: \ninterfaces: lo\n');
    expect(log).toContain(`key: 400 ${Buffer.from(jks.certificate.file, 'base64').length}\n`);
    expect(error).toMatchObject({ step: 'sign', message: 'apksigner could not sign the APK (exit code 1).' });
  });

  it('is not believed when it has signed nothing, or with another key', async () => {
    const other = await makeKeystore('PKCS12', [{ alias: 'evil' }]);
    const evil = await bench.sign({ type: 'apk', bytes: apk, certificate: other.certificate });
    writeFileSync(evil.path, '');
    const keystore = join(await temporaryFolder(), 'evil.p12');
    writeFileSync(keystore, Buffer.from(other.certificate.file, 'base64'));
    for (const instead of [
      'cp aligned.apk signed.apk',
      `echo '${evil.bytes.toString('base64')}' | base64 -d >signed.apk`,
    ]) {
      const buildTools = await standIn(
        `case "$*" in *verify*) exec /usr/bin/apksigner "$@";; esac\n${instead}`,
      );
      const { error, log, bytes } = await sign(buildTools);
      expect(error).toMatchObject({
        step: 'sign',
        message: 'The signature of the APK could not be verified.',
      });
      expect(log).not.toContain('Signed');
      expect(bytes.equals(apk)).toBe(true);
    }
  });

  it('shows no password in the list of processes, and leaves nothing when the job is canceled', async () => {
    const buildTools = await standIn(HANG);
    const controller = new AbortController();
    const signing = sign(buildTools, controller.signal);
    await eventually(() => expect(markedProcesses(buildTools.apksigner).length).toBeGreaterThan(1));
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readText(`/proc/${pid}/cmdline`));
    for (const secret of [STORE_PASSWORD, KEY_PASSWORD, jks.certificate.file.slice(0, 40)]) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    }
    expect(await filesWith(bench.folders.root, key)).toEqual([]);
    controller.abort(new Error('The job was canceled.'));
    expect((await signing).error).toEqual(new Error('The job was canceled.'));
    expect(markedProcesses(buildTools.apksigner)).toEqual([]);
    expect(readdirSync(bench.folders.root).toSorted()).toEqual(['artifacts', 'cache', 'home', 'repo']);
  });

  it.each([true, false])(
    'leaves no key after the runner was killed; with a sandbox: %j',
    async (isSandboxed) => {
      const dir = await temporaryFolder();
      const buildTools = await standIn(HANG);
      const { jdk } = await machineTools();
      const program: SignAndHang = {
        dir,
        hasSandbox: isSandboxed,
        options: { ...options, memoryMiB: 1024 },
        certificate: jks.certificate,
        tools: { jdk, buildTools },
        apk: apk.toString('base64'),
      };
      const [command = '', ...args] = programOf('../android/sign-and-hang.ts', program);
      const runner = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
      const isSigning = () => markedProcesses(`${buildTools.apksigner}\0`).length > 0;
      await eventually(() => expect(isSigning()).toBe(true));
      // In a sandbox it never is on a disk.
      expect(await filesWith(dir, key)).toHaveLength(isSandboxed ? 0 : 1);
      runner.kill('SIGKILL');
      await once(runner, 'exit');
      if (isSandboxed) await eventually(() => expect(isSigning()).toBe(false));
      await new JobFolderStore(dir, (warning) => expect(warning).toBe('')).sweep();
      await eventually(() => expect(isSigning()).toBe(false));
      expect(readdirSync(dir)).toEqual([]);
    },
  );
});

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
