import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { StorageReserve } from './storage-reserve.js';

/** For requests that store their body: checks the reserve before the body is read. */
@Injectable()
export class StorageReserveGuard implements CanActivate {
  constructor(private readonly reserve: StorageReserve) {}

  /** @throws InsufficientStorageError when the storage has not enough room */
  async canActivate(context: ExecutionContext): Promise<true> {
    const { headers } = context.switchToHttp().getRequest<Request>();
    await this.reserve.require(Number(headers['content-length'] ?? 0));
    return true;
  }
}
