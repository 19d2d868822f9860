import type { WebhookOwner } from './webhook-owner.js';

/**
 * The channels that webhooks filter by. The channels module provides it, because notifications may not import channels.
 */
export abstract class WebhookChannels {
  /**
   * Whether each of these is a channel of the app, or of an app of the organization.
   *
   * @param channelIds without doubles
   */
  abstract areChannels(owner: WebhookOwner, channelIds: readonly string[]): Promise<boolean>;
}
