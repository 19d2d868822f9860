/**
 * What apps ask of channels, which live further down and may not be imported here: the channels module provides it.
 */
export abstract class DefaultChannels {
  /** Creates the channel `default` of a new app. @returns its id */
  abstract create(appId: string): Promise<string>;

  /** Whether the app has a channel of this id. */
  abstract exists(appId: string, channelId: string): Promise<boolean>;
}
