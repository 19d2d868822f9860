import { ServerBusyError } from '../../common/errors/app-error.js';
import { LooksService } from './looks.service.js';

it('ends a look that gets no turn with its reason, so that it is repeated', async () => {
  const repository = { provider: 'github', providerBaseUrl: 'https://github.com', providerRepositoryId: '1' };
  const automation = { repositoryKey: JSON.stringify(Object.values(repository)), savedByUserId: 'user' };
  const trigger = { triggerType: 'branch', triggerPatterns: ['main'] };
  const ended: unknown[] = [];
  let look: ((job: { appIds: string[] }) => Promise<void>) | undefined;
  const signal = { register: () => undefined };
  const parts = [
    {},
    { saved: signal, listWaiting: () => Promise.resolve([{ appId: 'app', ...automation, ...trigger }]) },
    {},
    { findLost: () => Promise.resolve(null) },
    {},
    { linked: signal, get: () => Promise.resolve(repository) },
    { listRefs: () => Promise.reject(new ServerBusyError()) },
    {},
    {
      begin: () => Promise.resolve([]),
      fail: (...values: unknown[]) => Promise.resolve(ended.push(values)),
    },
    {},
    {},
    { handle: (_queue: unknown, work: typeof look) => (look = work), schedule: () => undefined },
    { queue: { automationPollSeconds: 300 } },
  ];
  new LooksService(...(parts as unknown as ConstructorParameters<typeof LooksService>)).onModuleInit();
  await look?.({ appIds: ['app'] });
  expect(ended).toEqual([['app', new ServerBusyError().message, 300]]);
});
