/** What apps of Apple run on, as far as an ipa can be for it. */
export const applePlatforms = ['ios', 'tvos', 'visionos'] as const;
export type ApplePlatform = (typeof applePlatforms)[number];
