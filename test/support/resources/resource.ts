import type { Tenant } from '../../builders/identities.js';
import type { Api } from '../http/api.js';

/** A body that must be refused, and the fields that the error must name. */
export interface WrongBody {
  readonly body: object;
  readonly fields: readonly string[];
}

/** What a resource belongs to, with the API of its owner. */
export interface Parent {
  readonly id: string;
  /** Such as `/v1/apps/{id}`. */
  readonly path: string;
  readonly tenant: Tenant;
  readonly api: Api;
}

/** One kind of parent. */
export interface ParentKind<P extends Parent = Parent> {
  /** Name of its id in paths and responses, such as `appId`. */
  readonly idField: 'appId' | 'organizationId';
  /** The part of the path, such as `/v1/apps/{appId}`. */
  readonly path: string;
  /** @param beside another parent, for one of the same owner; by default an owner of its own */
  readonly create: (beside?: Parent) => Promise<P>;
}

/**
 * One resource, for the tests that every resource must pass: `conformance.spec.ts`, `e2e/routes` and
 * `list-plans.spec.ts`. Paths, methods, permissions and the name of the id come from `openapi.json`.
 */
export interface Resource<P extends Parent = Parent> {
  readonly parent: ParentKind<P>;
  /** The last part of the path, such as `license-keys`. */
  readonly name: string;
  /** Creates one in any way. @returns its id */
  make(parent: P): Promise<string>;
  /** A body for POST; different for every call. Needed if there is a POST. */
  create?(parent: P): Promise<object> | object;
  /** A body for PATCH. Needed if there is a PATCH. */
  readonly update?: object;
  /** Bodies that POST refuses. */
  readonly wrongCreates?: readonly WrongBody[];
  /** Bodies that PATCH refuses. */
  readonly wrongUpdates?: readonly WrongBody[];
  /** Whether an unknown field is a 400, other than those of the response and the ids of the path. */
  readonly refusesUnknownFields?: boolean;
  /** The field with a name that is unique in the parent, whatever its case. */
  readonly uniqueName?: string;
  /** Whether its list ends with some that belong to no parent. They have `null` as the id of theirs. */
  readonly hasShared?: boolean;
  /** How many a new parent has; by default none. */
  readonly initially?: number;
  /**
   * SQL that inserts rows for `list-plans.spec.ts`, if `npm run seed` does not. `$1` is the id of the parent, `n` counts the
   * rows: see `list-rows.ts`.
   */
  readonly rows?: string;
}

/** `/v1/apps/{appId}/channels` */
export function pathOf({ parent, name }: Resource): string {
  return `${parent.path}/${name}`;
}

/** `license-keys` becomes "License key". */
export function titleOf({ name }: Pick<Resource, 'name'>): string {
  const words = name.replace(/s$/, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `license-keys` becomes `licenseKeyId`. */
export function parameterOf({ name }: Pick<Resource, 'name'>): string {
  return `${name.replace(/s$/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
}

/** `license-keys` becomes `license_key`, with which the codes of its errors begin. */
export function codeOf({ name }: Pick<Resource, 'name'>): string {
  return name.replace(/s$/, '').replaceAll('-', '_');
}
