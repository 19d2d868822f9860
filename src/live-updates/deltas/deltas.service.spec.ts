import type { Limits } from '../../common/background/limits.js';
import { ServerBusyError } from '../../common/errors/app-error.js';
import { DeltasService } from './deltas.service.js';

it('refuses a delta whose account gets no turn as one too many: a device asks, and gets no 429', async () => {
  const bundle = { type: 'manifest', organizationId: 'organization', manifest: {}, signature: null };
  const queries = {
    bundles: (_app: string, ids: string[]) => Promise.resolve(ids.map((id) => ({ id, ...bundle }))),
    find: () => Promise.resolve(null),
  };
  const limits = { run: () => Promise.reject(new ServerBusyError()) } as unknown as Limits;
  const parts = [queries, {}, {}, {}, limits];
  const service = new DeltasService(...(parts as unknown as ConstructorParameters<typeof DeltasService>));
  await expect(service.get('app', { from: 'one', to: 'two' })).rejects.toMatchObject({
    status: 503,
    code: 'delta_queue_full',
    headers: { 'Retry-After': '5' },
  });
});
