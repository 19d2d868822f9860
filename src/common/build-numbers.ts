/** The devices that a build is for. Google Play has tracks of their own for all but phones and tablets. */
export const buildFormFactors = ['phone', 'wear', 'tv', 'automotive'] as const;
export type BuildFormFactor = (typeof buildFormFactors)[number];

/** An app of Slipway whose next build is numbered by its store. */
export interface NumberedApp {
  readonly appId: string;
  readonly platform: 'android' | 'ios';
  /** The application id or bundle id that builds get; `null`: the app has destinations for one alone. */
  readonly packageName: string | null;
  /** What the build is for; `null`: as the track of its destination says. */
  readonly formFactor: BuildFormFactor | null;
  /** Where the build goes after success; `null`: that is not known. */
  readonly destinationId: string | null;
}

/** A build number that a store has. */
export interface StoreNumber {
  readonly number: number;
  /** With where it is, such as `42 on the track production`. */
  readonly shown: string;
}

/** The numbers of an app in its store, as they count for a build. */
export interface StoreNumbers {
  /** The highest one of the devices that the build is for; `null`: there is none. */
  readonly inStore: StoreNumber | null;
  /** The highest one of the submissions of the app for these devices; `null`: there were none. */
  readonly submitted: number | null;
  /** The highest one of other devices, which does not count; `null`: there is none. */
  readonly other: StoreNumber | null;
  /** Those that are used, of all devices, in any order. */
  readonly used: readonly number[];
}

/** What is known of the build numbers of an app in its store. */
export interface UsedBuildNumbers extends StoreNumbers {
  /** The application id or bundle id that they belong to. */
  readonly packageName: string;
  /** The store, as people know it. */
  readonly store: string;
  readonly formFactor: BuildFormFactor;
}

/** The response of a store to the question for build numbers. */
export type BuildNumbersOutcome =
  | { readonly kind: 'found'; readonly used: UsedBuildNumbers }
  /**
   * Worth another attempt.
   *
   * @param message one sentence that says why
   * @param maxAttempts of all, with this one; `null`: as many as there is time for
   */
  | {
      readonly kind: 'later';
      readonly message: string;
      readonly afterSeconds: number;
      readonly maxAttempts: number | null;
    }
  /** @param message one sentence that says what to do */
  | { readonly kind: 'refused'; readonly message: string };
