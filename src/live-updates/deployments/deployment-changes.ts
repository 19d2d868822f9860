import { Injectable } from '@nestjs/common';
import { Listeners } from '../../common/listeners.js';
import type { ChannelDeployment } from './channel-deployment.js';
import type { Deployment } from './deployment.entity.js';

/** Changes of deployments that others follow. */
@Injectable()
export class DeploymentChanges {
  /** A person is about to change the share of a deployment. */
  readonly shareChanged = new Listeners<[deploymentId: string]>();
  /** A deployment to a store was made that waits for approvals. */
  readonly waitsForApprovals = new Listeners<[deployment: Deployment]>();
  /** A deployment is delivered from now on, before the older ones of its channel. */
  readonly wentLive = new Listeners<[newer: Pick<ChannelDeployment, 'id' | 'channelId'>]>();
}
