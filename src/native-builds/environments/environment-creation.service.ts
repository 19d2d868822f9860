import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/principal.js';
import { DefaultRefsService } from '../use-restrictions/default-refs.service.js';
import { UseRestrictionsService } from '../use-restrictions/use-restrictions.service.js';
import type { CreateEnvironmentDto } from './environment.dto.js';
import type { Environment } from './environment.entity.js';
import { EnvironmentsService } from './environments.service.js';

/** Creates environments: what limits protected ones may have to be asked of a git server. */
@Injectable()
export class EnvironmentCreationService {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly restrictions: UseRestrictionsService,
    private readonly defaultRefs: DefaultRefsService,
  ) {}

  /**
   * Checks the request and finds the branch that a protected environment is limited to. Call it outside of transactions.
   *
   * @returns creates the environment; throws as `EnvironmentsService.create` does
   * @throws ForbiddenError when the caller may not restrict environments
   * @throws InvalidRequestError when the branch cannot be read
   */
  async prepare(
    caller: Principal,
    appId: string,
    values: CreateEnvironmentDto,
  ): Promise<() => Promise<Environment>> {
    await this.restrictions.authorizeChange(caller, 'environments:use', appId, null, values);
    const allowedRefs =
      values.allowedRefs ??
      (values.protected === true ? await this.defaultRefs.find(appId, caller.userId) : []);
    return () => this.environments.create(appId, { ...values, allowedRefs });
  }
}
