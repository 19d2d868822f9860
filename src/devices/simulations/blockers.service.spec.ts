import type { App } from '../../apps/apps/app.entity.js';
import type { Limits } from '../../common/background/limits.js';
import { ServerBusyError } from '../../common/errors/app-error.js';
import type { DeploymentsService } from '../../live-updates/deployments/deployments.service.js';
import type { ReleaseTableLoader } from '../releases/release-table-loader.js';
import type { DeploymentBlockersDto } from './blockers.dto.js';
import { BlockersService } from './blockers.service.js';
import type { SimulationsQueries } from './simulations.queries.js';

type Computed = Pick<DeploymentBlockersDto, 'computedAt'>;

const MINUTE = 60_000;
const app = { id: 'app', organizationId: 'organization' } as App;
const computedBefore = (milliseconds: number): Computed => ({
  computedAt: new Date(Date.now() - milliseconds).toISOString(),
});

/** @param outcomes of the turns, one after the other: a response, or none because others take all turns */
function serviceWith(...outcomes: readonly (Computed | 'busy')[]): {
  service: BlockersService;
  turns: () => number;
} {
  let turns = 0;
  const run = (): Promise<Computed> => {
    const outcome = outcomes[turns++] ?? 'busy';
    return outcome === 'busy' ? Promise.reject(new ServerBusyError()) : Promise.resolve(outcome);
  };
  const getOfChannel = (_: string, id: string) => Promise.resolve({ id, approvalStatus: 'approved' });
  const service = new BlockersService(
    { getOfChannel } as unknown as DeploymentsService,
    {} as ReleaseTableLoader,
    {} as SimulationsQueries,
    { run } as unknown as Limits,
  );
  return { service, turns: () => turns };
}

it('computes once for all who ask at the same time, and again for those who ask later', async () => {
  const [first, second] = [computedBefore(0), computedBefore(0)];
  const { service, turns } = serviceWith(first, second);
  const all = await Promise.all([1, 2, 3].map(() => service.find(app, 'deployment')));
  for (const response of all) expect(response).toBe(first);
  expect(turns()).toBe(1);
  expect(await service.find(app, 'deployment')).toBe(second);
});

it('gives the last response when its turn does not come, as long as that is not old', async () => {
  const { service } = serviceWith(computedBefore(9 * MINUTE), 'busy', computedBefore(11 * MINUTE), 'busy');
  const first = await service.find(app, 'deployment');
  expect(await service.find(app, 'deployment')).toBe(first);
  await service.find(app, 'deployment');
  await expect(service.find(app, 'deployment')).rejects.toThrow(ServerBusyError);
});

it('has no response of another deployment', async () => {
  const { service } = serviceWith(computedBefore(0), 'busy');
  await service.find(app, 'deployment');
  await expect(service.find(app, 'other')).rejects.toThrow(ServerBusyError);
});
