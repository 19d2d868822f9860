/** The page that everything starts from. */
export const START_PATH = '/';

/** The pages for visitors who have signed in, and their names, in the order of the navigation. */
export const navigation = [
  [START_PATH, 'Start'],
  ['/settings/tokens', 'API tokens'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/password', 'Password'],
  ['/settings/two-factor', 'Two-factor'],
  ['/settings/invitations', 'Invitations'],
] as const;

/** The description of the API: Swagger UI. */
export const DOCS_PATH = '/docs';

/** Where a sign-in may lead. A list, so that a link cannot send a visitor to another site. */
const returnPaths = ['/login/device', DOCS_PATH, ...navigation.map(([path]) => path)] as const;
export type ReturnPath = (typeof returnPaths)[number];

/** The page to return to after the sign-in; by default the start page. */
export function returnPath(wanted: string | undefined): ReturnPath {
  return returnPaths.find((path) => path === wanted) ?? START_PATH;
}

/** Where visitors confirm that it is them. @param next the page to return to */
export function confirmPath(next: ReturnPath): string {
  return `/login/confirm?next=${encodeURIComponent(next)}`;
}
