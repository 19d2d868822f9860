import type { NativeMaxima } from '../../common/native-maxima.js';

/** Finds the native versions that devices have. Provided by the area `devices`. */
export abstract class SeenVersions {
  /** The highest one of each platform that enough devices report; `null`: there is none. See docs/live-updates.md. */
  abstract highest(appId: string): Promise<NativeMaxima>;
}
