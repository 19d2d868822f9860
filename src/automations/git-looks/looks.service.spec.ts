import { ServerBusyError } from '../../common/errors/app-error.js';
import { LooksService } from './looks.service.js';

const repository = { provider: 'github', providerBaseUrl: 'https://github.com', providerRepositoryId: '1' };

/** What the server does with the looks of one job. */
class Job {
  readonly failed: unknown[] = [];
  readonly ended: string[] = [];
  /** The apps for which the git server was asked. */
  readonly read: string[] = [];
  /** What an app has another path, or no row, of. */
  paths: Record<string, string> = {};
  broken = '';
  listRefs = (appId: string): Promise<object> => {
    this.read.push(appId);
    const source = JSON.stringify(['organization', ...Object.values(repository), this.pathOf(appId), null]);
    return Promise.resolve({ commits: new Map(), defaultBranch: null, source });
  };

  async run(...appIds: string[]): Promise<void> {
    const automation = { repositoryKey: JSON.stringify(Object.values(repository)), savedByUserId: 'user' };
    const trigger = { triggerType: 'branch', triggerPatterns: ['main'] };
    let look: ((job: { appIds: string[] }) => Promise<void>) | undefined;
    const signal = { register: () => undefined };
    const parts = [
      { get: (id: string) => Promise.resolve({ id }) },
      {
        saved: signal,
        listWaiting: (appId: string) =>
          appId === this.broken
            ? Promise.reject(new Error('Broken'))
            : Promise.resolve([{ appId, ...automation, ...trigger }]),
      },
      {},
      { findLost: () => Promise.resolve(null) },
      { pass: () => Promise.resolve({ changed: [], isStale: false }) },
      {
        linked: signal,
        get: () => Promise.resolve(repository),
        getWithConnection: (appId: string) =>
          Promise.resolve({
            organizationId: 'organization',
            repository: { ...repository, path: this.pathOf(appId) },
            connection: null,
          }),
      },
      { listRefs: this.listRefs },
      {},
      {
        begin: () => Promise.resolve([]),
        settle: () => Promise.resolve(),
        end: (appId: string) => Promise.resolve(this.ended.push(appId)),
        fail: (...values: unknown[]) => Promise.resolve(this.failed.push(values)),
      },
      {},
      {},
      { handle: (_queue: unknown, work: typeof look) => (look = work), schedule: () => undefined },
      { queue: { automationPollSeconds: 300 } },
    ];
    new LooksService(...(parts as unknown as ConstructorParameters<typeof LooksService>)).onModuleInit();
    await look?.({ appIds });
  }

  private pathOf(appId: string): string {
    return this.paths[appId] ?? 'acme/shop';
  }
}

it('ends a look that gets no turn with its reason, so that it is repeated', async () => {
  const job = new Job();
  job.listRefs = () => Promise.reject(new ServerBusyError());
  await job.run('app');
  expect(job.failed).toEqual([['app', new ServerBusyError().message, 300]]);
});

it('reads once for all apps with the same repository, and again for one that was linked elsewhere', async () => {
  const job = new Job();
  job.paths = { b: 'acme/other' };
  await job.run('a', 'b', 'c');
  expect([job.read, job.ended]).toEqual([
    ['a', 'b'],
    ['a', 'b', 'c'],
  ]);
});

it('looks for all apps although one of them breaks, and fails for that one', async () => {
  const job = new Job();
  job.broken = 'a';
  await expect(job.run('a', 'b')).rejects.toThrow('Broken');
  expect(job.ended).toEqual(['b']);
});
