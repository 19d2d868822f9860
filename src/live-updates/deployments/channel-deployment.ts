import { InvalidRequestError } from '../../common/errors/app-error.js';
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
  throw new InvalidRequestError(
    'The deployment goes to a store: this is only for deployments to channels.',
    'deployment_to_store',
  );
}
