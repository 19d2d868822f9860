import type { CataloguedError } from './catalogued-error.js';

/** Errors of requests that would make more objects than the server allows. */
export const limitErrors = {
  organization_limit_reached: {
    status: 409,
    message: 'You own 100 organizations already, which is the limit of this server.',
    meaning: 'The user owns as many organizations as the server allows (`MAX_ORGANIZATIONS_PER_USER`).',
    action: 'Delete or transfer one, or ask the operator to raise the limit.',
  },
  limit_reached: {
    status: 409,
    message:
      'An app can have at most 100 environments: delete some, or ask the operator to raise MAX_ENVIRONMENTS_PER_APP.',
    meaning:
      'The organization, the app or the user has as many objects of this kind, or sent as many invitations today, as the server allows. The message names the limit and its variable: see [configuration](configuration.md).',
    action: 'Delete some, or ask the operator to raise the limit.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
