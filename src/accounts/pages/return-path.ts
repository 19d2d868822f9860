/** Where a sign-in may lead: a list, so that no address can lead elsewhere. */
const paths = [
  '/login/device',
  '/settings/tokens',
  '/settings/password',
  '/settings/two-factor',
  '/settings/sessions',
  '/settings/invitations',
] as const;
export type ReturnPath = (typeof paths)[number];

/** The page to return to after the sign-in; by default the settings. */
export function returnPath(wanted: string | undefined): ReturnPath {
  return paths.find((path) => path === wanted) ?? '/settings/tokens';
}
