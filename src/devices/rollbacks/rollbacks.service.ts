import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { NotFoundError } from '../../common/errors/app-error.js';
import { ChangeSignals, RELEASES } from '../../database/change-signals.js';
import { afterCommit, transaction } from '../../database/transactions/transaction.js';
import { BundlesService } from '../../live-updates/bundles/bundles.service.js';
import { DeviceRollback } from './device-rollback.entity.js';
import { RollbacksQueries } from './rollbacks.queries.js';

/** How often devices have rolled bundles back. A trigger counts; people let a bundle be offered again. */
@Injectable()
export class RollbacksService {
  constructor(
    @InjectRepository(DeviceRollback) private readonly rollbacks: Repository<DeviceRollback>,
    private readonly queries: RollbacksQueries,
    private readonly bundles: BundlesService,
    private readonly signals: ChangeSignals,
  ) {}

  /** All counts of devices, by the time of the last roll-back. */
  ofDevices(appId: string, deviceIds: readonly string[]): Promise<DeviceRollback[]> {
    return this.rollbacks.find({
      where: { appId, deviceId: In(deviceIds) },
      order: { lastAt: 'ASC', id: 'ASC' },
    });
  }

  /** Offers a bundle to a device again, in every native version. @throws NotFoundError */
  async offerAgainToDevice(appId: string, deviceId: string, bundleId: string): Promise<void> {
    if (!(await this.queries.isDevice(appId, deviceId))) throw new NotFoundError('Device');
    await this.bundles.get(appId, bundleId);
    await transaction(async () => {
      await this.rollbacks.delete({ appId, deviceId, bundleId });
      // Others change the counts that they have. This process loads them with its next check.
      afterCommit(() => this.signals.notifyLocally(RELEASES, appId));
    });
  }

  /** Offers a bundle to all devices again. @throws NotFoundError */
  async offerAgain(appId: string, bundleId: string): Promise<void> {
    // Check-ins that count a roll-back of it wait for the lock first. Otherwise they could deadlock with the deletion.
    await this.bundles.lock(appId, bundleId);
    if (!(await this.rollbacks.existsBy({ appId, bundleId }))) return;
    await this.bundles.clearRollbacks(appId, bundleId);
  }
}
