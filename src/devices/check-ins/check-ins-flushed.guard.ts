import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AFTER_CHECK_INS } from '../../common/access/after-check-ins.decorator.js';
import { CheckInRecorder } from './check-in-recorder.js';

/**
 * Makes `@AfterCheckIns()` routes wait for the check-ins that this replica has received. A guard, because it must not
 * wait while the request's transaction holds a connection.
 */
@Injectable()
export class CheckInsFlushedGuard implements CanActivate {
  constructor(
    private readonly recorder: CheckInRecorder,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(AFTER_CHECK_INS, context.getClass())) {
      await this.recorder.flushed();
    }
    return true;
  }
}
