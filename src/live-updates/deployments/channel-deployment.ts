import { InvalidRequestError, errorOf } from '../../common/errors/app-error.js';
import type { Channel } from '../channels/channel.entity.js';
import type { Deployment } from './deployment.entity.js';

/** A deployment to a channel: only these are for devices. */
export type ChannelDeployment = Deployment & { readonly channelId: string };

/** Whether it goes to a channel, not to a store. */
export function isToChannel(deployment: Deployment): deployment is ChannelDeployment {
  return deployment.channelId !== null;
}

/** @throws InvalidRequestError `deployment_to_store` when it goes to a store */
export function requireChannel(deployment: Deployment): ChannelDeployment {
  if (isToChannel(deployment)) return deployment;
  throw errorOf('deployment_to_store');
}

/** @throws InvalidRequestError `unsigned_bundle` when the channel is protected and the bundle is not signed */
export function requireSigned(channel: Channel, signed: boolean): void {
  if (channel.protectedAt === null || signed) return;
  throw new InvalidRequestError(
    `The channel ${channel.name} is protected: only signed bundles can be deployed to it.`,
    'unsigned_bundle',
  );
}
