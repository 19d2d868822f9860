import type { Permission } from '../../common/access/permissions.js';
import { databaseNow } from '../../common/database-clock.js';
import { toDate } from '../../common/validation/date-input.decorator.js';
import { parseForm } from '../../pages/forms/parse-form.js';
import { CreateTokenDto } from '../tokens/token.dto.js';
import type { TokenForm } from './token-form.dto.js';

/** Milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/** How long a token may be valid; the first is the default. */
export const lifetimes = [
  { value: '90', days: 90, name: '90 days' },
  { value: '30', days: 30, name: '30 days' },
  { value: '365', days: 365, name: '1 year' },
  { value: 'never', days: null, name: 'No end' },
] as const;

/** What a token may do of what its user may; the first is the default. */
export const accesses = ['all', 'read-only', 'ci', 'release-manager', 'list'] as const;

/** The permissions of the choices that stand for a list. */
const presets: Partial<Record<(typeof accesses)[number], readonly Permission[]>> = {
  ci: [
    'account:read',
    'organizations:read',
    'apps:read',
    'channels:read',
    'bundles:write',
    'builds:read',
    'builds:write',
    'environments:read',
    'certificates:read',
    'configurations:read',
    'destinations:read',
    'submissions:write',
    'deployments:read',
    'deployments:write',
  ],
  'release-manager': [
    'account:read',
    'organizations:read',
    'events:read',
    'apps:read',
    'channels:read',
    'channels:write',
    'builds:read',
    'destinations:read',
    'submissions:write',
    'deployments:read',
    'deployments:write',
    'deployments:approve',
    'devices:read',
    'insights:read',
  ],
};

/**
 * The token that a form describes. Nothing is guessed: a form that could mean a wider token than it seems is refused.
 *
 * @returns a sentence when the form is to be corrected
 */
export function readTokenForm(form: TokenForm): CreateTokenDto | string {
  const expiresAt = expiryOf(form);
  if (expiresAt === undefined) return 'The last day must be a day that is not over, such as 2030-12-31.';
  const access = accesses.find((value) => value === form.access) ?? accesses[0];
  if (access === 'list' && form.permissions.length === 0) return 'Choose at least one permission.';
  if (access !== 'list' && form.permissions.length > 0) {
    return 'You have chosen permissions: choose “Only chosen permissions” as well, or clear them.';
  }
  const values = {
    name: form.name,
    expiresAt,
    permissions: presets[access] ?? (access === 'list' ? form.permissions : access),
    organizationIds: orNull(form.organizationIds),
    appIds: orNull(form.appIds),
  };
  return parseForm(CreateTokenDto, values) ?? failureOf(form);
}

/** @returns `null`: never; `undefined`: the day does not exist, or has passed */
function expiryOf({ expires, lastDay }: TokenForm): Date | null | undefined {
  if (lastDay !== '') {
    const end = toDate(`${lastDay}T23:59:59.999Z`);
    return end instanceof Date && end > databaseNow() ? end : undefined;
  }
  const { days } = lifetimes.find(({ value }) => value === expires) ?? lifetimes[0];
  return days === null ? null : databaseNow(days * DAY);
}

/** Why `CreateTokenDto` refuses the values: people can only get the name wrong. */
function failureOf({ name }: TokenForm): string {
  return parseForm(CreateTokenDto, { name }) === null
    ? 'Give the token a name of 1 to 128 characters.'
    : 'Choose permissions, organizations and apps of the lists only.';
}

function orNull(ids: readonly string[]): readonly string[] | null {
  return ids.length === 0 ? null : ids;
}
