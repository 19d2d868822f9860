import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { StorageReserve } from '../../storage/storage-reserve.js';

/**
 * Refuses a new bundle whose files there is no room for: uploads in parts end at the first error of the server, without
 * showing it. A bundle with a `url` needs no room.
 */
@Injectable()
export class BundleReserveGuard implements CanActivate {
  constructor(private readonly reserve: StorageReserve) {}

  /** @throws InsufficientStorageError when only the reserve is left */
  async canActivate(context: ExecutionContext): Promise<true> {
    const { body } = context
      .switchToHttp()
      .getRequest<Request<unknown, unknown, { url?: unknown } | undefined>>();
    if (body?.url == null) await this.reserve.require();
    return true;
  }
}
