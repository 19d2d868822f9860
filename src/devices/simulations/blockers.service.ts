import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { Limits } from '../../common/background/limits.js';
import { databaseNow } from '../../common/database-clock.js';
import { ConflictError, NotFoundError, ServerBusyError } from '../../common/errors/app-error.js';
import { snapshot } from '../../database/transactions/transaction.js';
import type { ChannelDeployment } from '../../live-updates/deployments/channel-deployment.js';
import { DeploymentsService } from '../../live-updates/deployments/deployments.service.js';
import { ReleaseTableLoader } from '../releases/release-table-loader.js';
import { type DeploymentBlockersDto, toDeploymentBlockersDto } from './blockers.dto.js';
import { Blockers } from './blockers.js';
import { evaluateDevices, sampleOf } from './evaluate-devices.js';
import { SimulationsQueries } from './simulations.queries.js';

const SEEN_WITHIN = 30 * 86_400_000;

/** Devices above which a sample is evaluated. */
const MAX_DEVICES = 100_000;

/** Milliseconds until the next look at the lock of the app, and how long one waits for it: a simulation is over by then. */
const POLL = 250;
const LONGEST_WAIT = 20_000;

/** Responses that are kept for callers whose turn does not come, and for how many milliseconds. */
const KEPT = 100;
const KEPT_FOR = 600_000;

/** Answers "why do these devices not run it?" of a deployment. */
@Injectable()
export class BlockersService {
  /** By id of the deployment: those who ask meanwhile get the same response. */
  private readonly running = new Map<string, Promise<DeploymentBlockersDto>>();
  /** The last responses, by id of the deployment; the latest last. */
  private readonly last = new Map<string, DeploymentBlockersDto>();

  constructor(
    private readonly deployments: DeploymentsService,
    private readonly tables: ReleaseTableLoader,
    private readonly queries: SimulationsQueries,
    private readonly limits: Limits,
  ) {}

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError when the deployment goes to a store
   * @throws ConflictError when it was rejected
   * @throws ServerBusyError when the turn does not come, and there is no earlier response
   */
  async find(app: App, deploymentId: string): Promise<DeploymentBlockersDto> {
    const deployment = await this.deployments.getOfChannel(app.id, deploymentId);
    const { id, approvalStatus } = deployment;
    if (approvalStatus === 'rejected') {
      throw new ConflictError('This deployment is not delivered: it is rejected.', 'deployment_not_live');
    }
    let response = this.running.get(id);
    if (response === undefined) {
      response = this.respond(app, deployment).finally(() => this.running.delete(id));
      this.running.set(id, response);
    }
    return response;
  }

  private async respond(app: App, deployment: ChannelDeployment): Promise<DeploymentBlockersDto> {
    try {
      const response = await this.compute(app, deployment);
      this.keep(deployment.id, response);
      return response;
    } catch (error) {
      const earlier = this.last.get(deployment.id);
      if (!(error instanceof ServerBusyError) || earlier === undefined) throw error;
      if (Date.parse(earlier.computedAt) < databaseNow().getTime() - KEPT_FOR) throw error;
      return earlier;
    }
  }

  /** Waits until no simulation of the app runs, holding nothing that others wait for. */
  private async compute(app: App, deployment: ChannelDeployment): Promise<DeploymentBlockersDto> {
    const deadline = performance.now() + LONGEST_WAIT;
    for (;;) {
      const response = await this.limits.run('simulations', app.organizationId, () =>
        snapshot(async () => ((await this.queries.lock(app.id)) ? this.evaluate(deployment) : null)),
      );
      if (response !== null) return response;
      if (performance.now() > deadline) throw new ServerBusyError();
      await sleep(POLL);
    }
  }

  private async evaluate({
    id,
    appId,
    channelId,
    buildId,
  }: ChannelDeployment): Promise<DeploymentBlockersDto> {
    const table = await this.tables.load(appId);
    const bundleId = await this.queries.bundleOf(buildId);
    if (table === null || bundleId === null) throw new NotFoundError('Deployment');
    const now = databaseNow();
    const seenSince = new Date(now.getTime() - SEEN_WITHIN);
    const known = { appId, seenSince, channelId, bundleId };
    const counts = await this.queries.countOfChannel(known);
    const blockers = await evaluateDevices(
      (sample) => this.queries.readLacking(known, sample),
      () => new Blockers(table, { id, channelId }, now),
      sampleOf(counts.devices - counts.running, MAX_DEVICES),
    );
    return toDeploymentBlockersDto({ blockers: blockers.count(), now, seenSince, ...counts });
  }

  private keep(id: string, response: DeploymentBlockersDto): void {
    this.last.delete(id);
    this.last.set(id, response);
    if (this.last.size <= KEPT) return;
    for (const oldest of this.last.keys()) {
      this.last.delete(oldest);
      break;
    }
  }
}
