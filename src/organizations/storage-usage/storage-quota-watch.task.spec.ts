import type { EventConditionsQueries } from '../../events/event-conditions.queries.js';
import type { ThresholdEvents } from '../../events/threshold-events.service.js';
import type { QueueService, ScheduledTask } from '../../queue/queue.service.js';
import type { StorageQuotasService } from '../../storage/uploads/storage-quotas.service.js';
import type { OrganizationsService } from '../organizations/organizations.service.js';
import { StorageQuotaWatch } from './storage-quota-watch.task.js';

it('goes on with the others when one organization cannot be added up, and fails then', async () => {
  const crossed: string[] = [];
  const tasks: ScheduledTask[] = [];
  const organizations = { listIds: () => Promise.resolve(['a', 'b', 'c']) };
  const quotas = {
    limitedUsage: (id: string) =>
      id === 'b'
        ? Promise.reject(new Error('canceling statement due to statement timeout'))
        : Promise.resolve({ sizeInBytes: 8, quotaInBytes: 10 }),
  };
  const thresholds = {
    cross: (_: unknown, __: string, ___: string[], { objectId }: { objectId: string }) => {
      crossed.push(objectId);
      return Promise.resolve(true);
    },
  };
  const watch = new StorageQuotaWatch(
    organizations as unknown as OrganizationsService,
    quotas as unknown as StorageQuotasService,
    { clear: () => Promise.resolve() } as unknown as EventConditionsQueries,
    thresholds as unknown as ThresholdEvents,
    { schedule: (task: ScheduledTask) => tasks.push(task) } as unknown as QueueService,
  );
  watch.onModuleInit();
  await expect(tasks[0]?.run()).rejects.toThrow('not added up');
  expect(crossed).toEqual(['a', 'c']);
});
