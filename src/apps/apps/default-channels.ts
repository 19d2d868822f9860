/**
 * The channels of an app as far as apps need them. The channels module provides it, because apps may not import channels.
 */
export abstract class DefaultChannels {
  abstract create(appId: string, values: { readonly name: string }): Promise<{ readonly id: string }>;

  abstract exists(appId: string, channelId: string): Promise<boolean>;
}
