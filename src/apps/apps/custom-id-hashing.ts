/**
 * What apps ask of devices, which live further down and may not be imported here: the devices module provides it.
 */
export abstract class CustomIdHashing {
  /** Makes the key of an app, unless it has one, and lets the custom ids be hashed that are there already. */
  abstract begin(appId: string): Promise<void>;
}
