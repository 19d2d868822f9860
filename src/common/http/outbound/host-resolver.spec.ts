import { newLimits } from '../../../../test/support/limits.js';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hasNamespaces, startInNamespace } from '../../../../test/support/names/namespace.js';
import { HostResolver } from './host-resolver.js';
import { LookupHelper } from './lookup-helper.js';

const staying = new AbortController().signal;
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => String(error),
  );

describe('names of this machine', () => {
  const resolver = new HostResolver(newLimits());

  it('resolves its own name, and takes addresses as they are', async () => {
    expect(await resolver.resolve('acme', 'localhost', staying)).toContainEqual(
      expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    );
    expect(await resolver.resolve('acme', '2001:db8::1', staying)).toEqual(['2001:db8::1']);
    expect(await failureOf(resolver.resolve('acme', 'no-such-host.invalid', staying))).toMatch(
      /no such name/,
    );
  });
});

// Only a machine without bubblewrap may skip these.
(hasNamespaces ? describe : describe.skip)('names of a machine with a silent name server', () => {
  const started: ChildProcess[] = [];
  const ended: Promise<unknown>[] = [];

  class NamespaceResolver extends HostResolver {
    protected override readonly timeoutMs = 3000;

    protected override startHelper(): LookupHelper {
      const process = startInNamespace();
      started.push(process);
      ended.push(once(process, 'exit'));
      return new LookupHelper(process);
    }
  }

  let resolver: HostResolver;
  beforeEach(() => {
    resolver = new NamespaceResolver(newLimits());
    started.splice(0);
    ended.splice(0);
  });
  afterEach(() => started.forEach((process) => process.kill('SIGKILL')));

  const resolve = (host: string, organizationId = 'acme', leaving = staying): Promise<string[]> =>
    resolver.resolve(organizationId, host, leaving);

  it('reads the hosts file, and searches short names where the machine does', async () => {
    expect(await resolve('builder')).toEqual(['192.0.2.6']);
    expect(await resolve('git.corp.test')).toEqual(['192.0.2.7']);
    expect(await resolve('git')).toEqual(['192.0.2.7']);
    expect(await failureOf(resolve('nothing'))).toMatch(/no such name/);
    expect(started).toHaveLength(1);
  });

  it('serves other organizations while the look-ups of one are held', async () => {
    await resolve('builder');
    let refused = 0;
    const silent = Array.from({ length: 20 }, (_, n) =>
      failureOf(resolve(`silent-${n}`)).finally(() => refused++),
    );
    for (const host of ['git', 'git.corp.test', 'builder']) await resolve(host, 'other');
    expect(refused).toBe(0);
    // All of them, also those that wait for the first ones.
    await Promise.all([...silent, ended[0]]);
    expect(await resolve('git')).toEqual(['192.0.2.7']);
    expect(started).toHaveLength(2);
  });

  it('resolves names of webhooks while many others of the same organization are held', async () => {
    const call = (host: string): Promise<string[]> => resolver.resolve('acme', host, staying, 'webhook');
    await resolve('builder');
    let refused = 0;
    const silent = Array.from({ length: 12 }, (_, n) =>
      failureOf(call(`silent-${n}`)).finally(() => refused++),
    );
    for (const host of ['git', 'git.corp.test', 'builder']) await call(host);
    await resolve('git');
    expect(refused).toBe(0);
    await Promise.all(silent);
  });

  it('ends a stuck helper, and starts another one', async () => {
    expect(await failureOf(resolve('silent'))).not.toBe('none');
    await ended[0];
    expect(await resolve('git')).toEqual(['192.0.2.7']);
    expect(started).toHaveLength(2);
    expect(started[1]?.exitCode).toBeNull();
  });

  it('remembers names that cannot be resolved, and drops look-ups that no one waits for', async () => {
    const leaving = new AbortController();
    const held = [resolve('silent-1'), resolve('silent-2')].map(failureOf);
    const dropped = failureOf(resolve('silent-3', 'acme', leaving.signal));
    leaving.abort(new Error('The caller has left.'));
    expect(await dropped).toMatch(/caller has left/);
    await Promise.all([...held, ended[0]]);
    expect(await failureOf(resolve('silent-1', 'other'))).toMatch(/a moment ago/);
    const began = started.length;
    expect(await failureOf(resolve('silent-3'))).not.toMatch(/a moment ago/);
    expect(started).toHaveLength(began + 1);
  });

  it('starts another helper after one that was killed', async () => {
    await resolve('builder');
    const killed = failureOf(resolve('silent'));
    started[0]?.kill('SIGKILL');
    await killed;
    expect(await resolve('builder')).toEqual(['192.0.2.6']);
    expect(started).toHaveLength(2);
  });
});
