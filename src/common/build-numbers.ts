/** An app of Slipway whose next build is numbered by its store. */
export interface NumberedApp {
  readonly appId: string;
  readonly platform: 'android' | 'ios';
  /** The application id or bundle id that builds get; `null`: the app has destinations for one alone. */
  readonly packageName: string | null;
}

/** What is known of the build numbers of an app in its store. */
export interface UsedBuildNumbers {
  /** The application id or bundle id that they belong to. */
  readonly packageName: string;
  /** The store, as people know it. */
  readonly store: string;
  /** The highest one in the store; `null`: it has none. */
  readonly inStore: number | null;
  /** The highest one of the submissions of the app; `null`: there were none. */
  readonly submitted: number | null;
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
