import { type CanActivate, Injectable } from '@nestjs/common';
import { DeviceSightings } from './device-sightings.js';

/**
 * For what shows or changes devices: waits until those are written that this replica has seen. A guard, because it must
 * not wait while the request's transaction has a connection.
 */
@Injectable()
export class SightingsWritten implements CanActivate {
  constructor(private readonly sightings: DeviceSightings) {}

  async canActivate(): Promise<boolean> {
    await this.sightings.written();
    return true;
  }
}
