import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ScopedToApps } from '../../common/access/scoped-to-apps.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { InboxDto } from './inbox.dto.js';
import { InboxService } from './inbox.service.js';

@ApiTags('Inbox')
@Controller('organizations/:organizationId/inbox')
export class InboxController {
  constructor(private readonly inbox: InboxService) {}

  /**
   * Gets what waits for the caller: deployments to approve, held rollout plans, submissions and releases that have failed or
   * wait for a person, damaged bundles, certificates and provisioning profiles that expire, webhooks that fail. Only
   * what the caller may see and act on, by role, teams and token. The stream of changes has a hint of the kind `inbox`
   * where no other hint says that something here has changed.
   */
  @Get()
  @ApiSuccess('What waits for the caller, newest first.')
  @Requires('apps:read')
  @ScopedToApps()
  read(@Caller() caller: Principal, @IdParam('organizationId') organizationId: string): Promise<InboxDto> {
    return this.inbox.read(caller, organizationId);
  }
}
