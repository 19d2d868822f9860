import { Injectable } from '@nestjs/common';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { databaseNow } from '../../common/database-clock.js';
import type { Principal } from '../../common/access/principal.js';
import { isGoverned, setsGovernance } from '../../common/freezes/governance.js';
import { nameKey } from '../../common/validation/name.decorator.js';
import { ChannelsService } from './channels.service.js';
import type { UpdateChannelDto } from './channel.dto.js';

/**
 * Prevents users whom approvals, freezes and allowed branches restrict from bypassing them: by changing them, or by replacing a channel
 * that has them with another one of the same name.
 */
@Injectable()
export class ChannelGovernanceService {
  constructor(
    private readonly channels: ChannelsService,
    private readonly access: AppAccessService,
  ) {}

  /** @throws ForbiddenError when the values require `channels:govern`, which the caller lacks */
  async authorizeCreation(caller: Principal, appId: string, values: UpdateChannelDto): Promise<void> {
    if (setsGovernance(values)) await this.access.require(caller, appId, 'channels:govern');
  }

  /** As `authorizeCreation`, for a change. @throws NotFoundError */
  async authorizeChange(
    caller: Principal,
    appId: string,
    id: string,
    changes: UpdateChannelDto,
  ): Promise<void> {
    const { name } = changes;
    // Locked, so that no limit comes between this check and the change, which is in the same transaction.
    const channel = await this.channels.lock(appId, id);
    const isRenamed = name !== undefined && nameKey(name) !== channel.nameLower;
    if (setsGovernance(changes) || (isRenamed && isGoverned(channel, databaseNow()))) {
      await this.access.require(caller, appId, 'channels:govern');
    }
  }

  /** As `authorizeCreation`, for the deletion of a channel. @param which its id or its name @throws NotFoundError */
  async authorizeDeletion(
    caller: Principal,
    appId: string,
    which: { readonly id: string } | { readonly name: string },
  ): Promise<void> {
    const id = 'id' in which ? which.id : (await this.channels.getByName(appId, which.name)).id;
    const channel = await this.channels.lock(appId, id);
    if (isGoverned(channel, databaseNow())) await this.access.require(caller, appId, 'channels:govern');
  }
}
