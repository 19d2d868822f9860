import type { NoticedEvent } from './event-definition.js';

/*
 * Paths of pages of the console, for mails about events. The console declares its addresses in `console/src/app/routes.tsx`.
 */

/** The page of a deployment, where it is approved, too. */
export function deploymentPage({ appId, objectId }: NoticedEvent): string {
  return `/apps/${appId}/deployments/${objectId}`;
}

/** The page of a channel. */
export function channelPage({ appId, objectId }: NoticedEvent): string {
  return `/apps/${appId}/channels/${objectId}`;
}

/** The page of what builds of an app are signed with. */
export function signingPage({ appId }: NoticedEvent): string {
  return `/apps/${appId}/signing`;
}
