import { roleGrants, type Role } from '../../common/access/permissions.js';
import { allows, type TokenScope } from '../../common/access/token-scope.js';
import type { EventDefinition } from '../../events/event-definition.js';

/** What decides who sees events of a kind. */
export type KindOfEvent = Pick<EventDefinition, 'type' | 'permission' | 'of'>;

/** Changes of apps without events, as if they were events of a kind. */
export const APP_CHANGED: KindOfEvent = { type: 'app', permission: 'apps:read', of: 'app' };

/** Changes of what waits for people, in the same way: who sees apps may have some of it to do. */
export const INBOX_CHANGED: KindOfEvent = { type: 'inbox', permission: 'apps:read', of: 'app' };

/** What decides which events of an organization a caller sees. */
export interface Viewer {
  readonly organizationId: string;
  readonly role: Role;
  readonly limits: TokenScope;
  /** The apps of the member's teams; `null`: no team limits it. */
  readonly teamAppIds: readonly string[] | null;
}

/** Which events of an organization a caller sees. */
export interface Visibility {
  /** The kinds that its role and its token grant. */
  readonly types: ReadonlySet<string>;
  /** The apps whose events it sees; `null`: all apps of the organization. Events without an app depend on their kind only. */
  readonly appIds: ReadonlySet<string> | null;
}

/** The part of an event that decides who sees it. */
export interface VisibleParts {
  readonly type: string;
  readonly appId: string | null;
}

/**
 * A caller sees the kinds of which it may see the objects, of the apps that its teams and its token cover. A token that
 * is limited to apps sees nothing about the organization itself.
 *
 * @param definitions all kinds
 */
export function visibilityOf(viewer: Viewer, definitions: readonly KindOfEvent[]): Visibility {
  const { organizationId, role, limits, teamAppIds } = viewer;
  const [appId] = limits.appIds ?? [];
  const granted = definitions.filter(({ permission, of }) => {
    const target = { organizationId, ...(of === 'app' && appId !== undefined && { appId }) };
    return roleGrants(role, permission) && allows(limits, permission, target);
  });
  const types = new Set(granted.map(({ type }) => type));
  return { types, appIds: intersectionOf(limits.appIds, teamAppIds) };
}

/** Whether the caller sees an event of an app that its organization still has, or of the organization. */
export function isVisible({ type, appId }: VisibleParts, { types, appIds }: Visibility): boolean {
  return types.has(type) && (appId === null || appIds === null || appIds.has(appId));
}

/** @param first `null`: all; in the same way the second */
function intersectionOf(
  first: readonly string[] | null,
  second: readonly string[] | null,
): ReadonlySet<string> | null {
  if (first === null) return second === null ? null : new Set(second);
  return new Set(second === null ? first : first.filter((id) => second.includes(id)));
}
