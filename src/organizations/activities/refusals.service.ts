import { type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../../common/access/principal.js';
import { ForbiddenError } from '../../common/errors/app-error.js';
import { operationId } from '../../common/openapi/operation-id.js';
import { isUuid } from '../../common/validation/uuid.js';
import { actingAs } from '../../database/transactions/actor.js';
import { actorOf } from '../../idempotency/actor-of.js';
import { ActivitiesQueries } from './activities.queries.js';
import { ActivitiesService } from './activities.service.js';

/** Records writes that members were refused: at most one a minute of each user, operation and reason. */
@Injectable()
export class RefusalsService {
  private readonly logger = new Logger(RefusalsService.name);

  constructor(
    private readonly queries: ActivitiesQueries,
    private readonly activities: ActivitiesService,
  ) {}

  /** Records the error of a request if it is a refused write of a member. Never throws: the refusal itself counts. */
  async record(context: ExecutionContext, error: unknown): Promise<void> {
    const request = context.switchToHttp().getRequest<Request & { readonly user?: Principal }>();
    const { user, method, params } = request;
    if (!(error instanceof ForbiddenError) || user === undefined || method === 'GET' || method === 'HEAD')
      return;
    try {
      const target = await this.queries.targetOf(
        user.userId,
        uuidOrNull(params['organizationId']),
        uuidOrNull(params['appId']),
      );
      if (target === null) return;
      const { organizationId, appId } = target;
      const operation = operationId(context.getClass().name, context.getHandler().name);
      await actingAs(actorOf(request, operation), () =>
        this.activities.recordOncePerMinute({
          kind: 'call-refused',
          organizationId,
          ...(appId === null ? {} : { appId }),
          detail: error.code,
        }),
      );
    } catch (err) {
      this.logger.error({ err }, 'A refused call was not recorded');
    }
  }
}

function uuidOrNull(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? value : null;
}
