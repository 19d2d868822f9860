import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { someOf } from '../setup/depth.js';
import {
  callsFile,
  loginKeychain,
  readCalls,
  readSearchList,
  setBehaviour,
  usableIdentities,
  writeSearchList,
} from '../support/runners/ios/security/keychain-files.js';
import { P12_PASSWORD, SigningBench } from '../support/runners/ios/signing-bench.js';

let bench: SigningBench;

beforeEach(async () => {
  bench = await SigningBench.make();
});

/** Everything is as before the build. */
function expectNothingLeft(): void {
  expect(readSearchList(bench.home)).toEqual([loginKeychain(bench.home), bench.ownKeychain]);
  expect(bench.leftovers()).toEqual([]);
  expect(readdirSync(join(bench.signingDir, 'jobs'))).toEqual([]);
  expect(usableIdentities(bench.home)).toEqual([]);
}

/** The arguments of calls of a subcommand. */
const callsOf = (name: string): (readonly string[])[] =>
  readCalls(bench.home)
    .map(({ args }) => args)
    .filter(([first]) => first === name);

const valueAfter = (args: readonly string[], option: string): string => args[args.indexOf(option) + 1]!;

function writeOwnProfile(text: string): void {
  for (const path of bench.profilePaths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

it('has a keychain of its own and the profiles while it signs, and nothing of them afterwards', async () => {
  const build = bench.start({ holds: true });
  await build.until('open ');

  const [keychain, ...others] = readSearchList(bench.home);
  expect(keychain).toMatch(/\.slipway-signing\/jobs\/[0-9a-f-]{36}\/build\.keychain-db$/);
  expect(others).toEqual([loginKeychain(bench.home), bench.ownKeychain]);
  expect(usableIdentities(bench.home)).toMatchObject([{ sha1: bench.identity.sha1 }]);
  expect(statSync(dirname(keychain!)).mode & 0o777).toBe(0o700);
  expect(readdirSync(dirname(keychain!)).filter((name) => name.endsWith('.p12'))).toEqual([]);
  for (const path of bench.profilePaths) {
    expect(readFileSync(path).toString('base64')).toBe(bench.profile.file);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }

  build.finish();
  expect(await build.end()).toEqual({ value: [{ keychain, identity: bench.identity.sha1 }] });
  expectNothingLeft();
  for (const path of bench.profilePaths) expect(existsSync(path)).toBe(false);
  expect(readCalls(bench.home).every(({ error }) => error === null)).toBe(true);
});

it('shows no password: neither the one of the user to any program, nor those of the job in the log', async () => {
  const build = bench.start();
  await build.end();

  expect(readFileSync(callsFile(bench.home), 'utf8')).not.toContain(P12_PASSWORD);
  const passwords = [
    ...callsOf('create-keychain').map((args) => valueAfter(args, '-p')),
    ...callsOf('import').map((args) => valueAfter(args, '-P')),
  ];
  expect(new Set(passwords).size).toBe(2);
  for (const password of [...passwords, P12_PASSWORD]) expect(build.output).not.toContain(password);
  expect(build.output).toContain(`Signing with the certificate "${bench.identity.commonName}"`);
});

it('does not lock the keychain after a while, and keeps what the user does to the search list meanwhile', async () => {
  const build = bench.start({ holds: true });
  await build.until('open ');
  const [keychain] = readSearchList(bench.home);
  expect(callsOf('set-keychain-settings')).toEqual([['set-keychain-settings', keychain]]);
  const added = join(bench.home, 'added.keychain-db');
  writeSearchList(bench.home, [loginKeychain(bench.home), added, keychain!]);

  build.finish();
  await build.end();

  expect(readSearchList(bench.home)).toEqual([loginKeychain(bench.home), added]);
});

it('keeps a profile of the user with the same UUID as it was', async () => {
  writeOwnProfile('of the user');
  const build = bench.start({ holds: true });
  await build.until('open ');
  for (const path of bench.profilePaths)
    expect(readFileSync(path).toString('base64')).toBe(bench.profile.file);
  build.finish();
  await build.end();
  for (const path of bench.profilePaths) expect(readFileSync(path, 'utf8')).toBe('of the user');
  expectNothingLeft();
});

it('leaves alone a profile of the user that is the same, and one that the user installs meanwhile', async () => {
  const [first, second] = bench.profilePaths as [string, string];
  mkdirSync(dirname(first), { recursive: true });
  writeFileSync(first, Buffer.from(bench.profile.file, 'base64'), { mode: 0o644 });
  const build = bench.start({ holds: true });
  await build.until('open ');
  writeFileSync(second, 'renewed');
  build.finish();
  await build.end();
  expect(readFileSync(first).toString('base64')).toBe(bench.profile.file);
  expect(statSync(first).mode & 0o777).toBe(0o644);
  expect(readFileSync(second, 'utf8')).toBe('renewed');
  expectNothingLeft();
});

it('makes no path of an identifier that is none', async () => {
  const profile = { ...bench.profile, uuid: '../../../../../escaped' };
  const plan = { teamId: '', type: 'ad-hoc', targets: [{ target: 'App', bundleId: 'a', profile }] } as const;
  expect(await bench.start({ plan }).end()).toEqual({
    error: 'The provisioning profile "Shop ad hoc" has no UUID.',
  });
  expectNothingLeft();
  expect(existsSync(join(bench.home, 'Library/MobileDevice'))).toBe(false);
});

describe('builds at the same time', () => {
  it('sign one after the other, in one process and in several', async () => {
    const first = bench.start({ holds: true });
    await first.until('open ');
    const others = bench.start({ builds: 2 });
    await others.until('Waiting for another build that signs on this Mac');
    expect(others.output).not.toContain('open ');
    first.finish();
    for (const build of [first, others]) expect((await build.end())?.error).toBeUndefined();
    const events = others.output.split('\n').filter((line) => /^(open |closing)/.test(line));
    expect(events.map((line) => line.slice(0, 4))).toEqual(['open', 'clos', 'open', 'clos']);
    expect(others.output.match(/Waiting/g)!.length).toBeLessThanOrEqual(2);
    const lists = callsOf('list-keychains').map((args) => args.filter((path) => path.includes('/jobs/')));
    expect(lists.every((ours) => ours.length <= 1)).toBe(true);
    expectNothingLeft();
  });

  it('wait only as long as their job', async () => {
    const holder = bench.start({ holds: true });
    await holder.until('open ');
    const waiting = bench.start();
    await waiting.until('Waiting');
    waiting.kill('SIGTERM');
    expect(await waiting.end()).toEqual({ error: 'canceled' });
    holder.finish();
    await holder.end();
    expectNothingLeft();
  });

  it('take over from one that was killed, and remove what it left', async () => {
    writeOwnProfile('of the user');
    const killed = bench.start({ holds: true });
    await killed.until('open ');
    killed.kill('SIGKILL');
    expect(await killed.end()).toBeNull();
    const [keychain] = readSearchList(bench.home);
    expect(existsSync(keychain!)).toBe(true);

    const next = bench.start({ holds: true });
    await next.until('open ');
    expect(existsSync(keychain!)).toBe(false);
    expect(readSearchList(bench.home)).toHaveLength(3);
    next.finish();
    await next.end();
    for (const path of bench.profilePaths) expect(readFileSync(path, 'utf8')).toBe('of the user');
    expectNothingLeft();
  });

  it('are not disturbed by a runner that starts, and by its doctor', async () => {
    const build = bench.start({ holds: true });
    await build.until('open ');
    expect(await bench.start({ action: 'sweep' }).end()).toEqual({ value: [] });
    expect(await bench.start({ action: 'check' }).end()).toMatchObject({ value: { status: 'ok' } });
    expect(usableIdentities(bench.home)).toHaveLength(1);
    build.finish();
    await build.end();
    expectNothingLeft();
  });
});

describe('when macOS fails', () => {
  const CALLS = [
    'create-keychain',
    'unlock-keychain',
    'set-keychain-settings',
    'import',
    'set-key-partition-list',
  ];

  it.each(someOf(CALLS))('in %s, the build fails with a sentence and leaves nothing', async (name) => {
    setBehaviour(bench.home, { fails: name });
    const { error } = (await bench.start().end())!;
    expect(error).toMatch(
      new RegExp(`^This Mac could not .*: security ${name} failed with exit code 36\\.$`),
    );
    expectNothingLeft();
  });

  it.each([
    [
      { trustsNone: true },
      /is not one that macOS trusts to sign \(CSSMERR_TP_NOT_TRUSTED\): the intermediate certificate/,
    ],
    [{ fails: 'find-identity' }, /is not in the keychain after its import/],
  ])('with %j, the build says why', async (behaviour, message) => {
    setBehaviour(bench.home, behaviour);
    expect((await bench.start().end())!.error).toMatch(message);
    expectNothingLeft();
  });

  it('and a keychain cannot be deleted, its file is gone, and the next build tidies up', async () => {
    setBehaviour(bench.home, { fails: 'list-keychains' });
    const build = bench.start();
    expect((await build.end())!.error).toBe('The search list of keychains of this Mac cannot be read.');
    expect(build.output).toContain(
      'WARNING: After signing, the search list of keychains could not be restored',
    );
    expect(bench.leftovers()).toEqual([]);
    setBehaviour(bench.home, {});
    expect(await bench.start({ action: 'check' }).end()).toMatchObject({
      value: { status: 'ok', message: expect.stringContaining('What 1 killed builds left was removed.') },
    });
    expectNothingLeft();
  });

  it.each(someOf(['create-keychain', 'import', 'find-identity']))(
    'and %s hangs, a canceled build ends and leaves nothing',
    async (hangs) => {
      setBehaviour(bench.home, { hangs });
      const build = bench.start();
      while (callsOf(hangs).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      build.kill('SIGTERM');
      expect(await build.end()).toEqual({ error: 'canceled' });
      expectNothingLeft();
    },
  );

  it('and a call hangs, it ends at its deadline', async () => {
    const hangs = 'set-key-partition-list';
    setBehaviour(bench.home, { hangs });
    expect((await bench.start({ hangs }).end())!.error).toBe(
      'The command security set-key-partition-list of this Mac did not end within 2 seconds: it may wait for a person at the screen.',
    );
    expectNothingLeft();
  });

  it('and has no program security, the build and the doctor say so', async () => {
    const message = 'This machine has no program security: iOS apps are signed on a Mac.';
    expect(await bench.start({ toolsDir: null }).end()).toEqual({ error: message });
    expect(await bench.start({ action: 'check', toolsDir: null }).end()).toEqual({
      value: { name: 'Keychain', status: 'failed', message },
    });
    expectNothingLeft();
  });
});
