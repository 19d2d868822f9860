/**
 * Hashing of custom ids. The devices module provides it, because apps may not import devices.
 */
export abstract class CustomIdHashing {
  /** Creates the key of an app, unless it has one, and starts to hash the existing custom ids. */
  abstract begin(appId: string): Promise<void>;
}
