import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { NotFoundError } from '../../common/errors/app-error.js';
import { lockOrThrow } from '../../database/rows.js';
import { Bundle } from '../../live-updates/bundles/bundle.entity.js';
import { DeviceRollback } from './device-rollback.entity.js';
import { Device } from '../devices/device.entity.js';

/** How often devices have rolled bundles back. A trigger counts; people let a bundle be offered again. */
@Injectable()
export class RollbacksService {
  constructor(
    @InjectRepository(DeviceRollback) private readonly rollbacks: Repository<DeviceRollback>,
    @InjectRepository(Device) private readonly devices: Repository<Device>,
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
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
    if (!(await this.devices.existsBy({ appId, id: deviceId }))) throw new NotFoundError('Device');
    if (!(await this.bundles.existsBy({ appId, id: bundleId }))) throw new NotFoundError('Bundle');
    await this.rollbacks.delete({ appId, deviceId, bundleId });
  }

  /** Offers a bundle to all devices again. @throws NotFoundError */
  async offerAgain(appId: string, bundleId: string): Promise<void> {
    // Check-ins that count a roll-back of it wait for the lock first. Otherwise they could deadlock with the deletion.
    await lockOrThrow(this.bundles, { appId, id: bundleId });
    if (!(await this.rollbacks.existsBy({ appId, bundleId }))) return;
    await this.bundles.update({ appId, id: bundleId }, { rollbacksClearedAt: () => 'now()' });
  }
}
