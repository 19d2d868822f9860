import { unscoped } from '../../common/access/token-scope.js';
import type { RolePermission } from '../../common/access/permissions.js';
import { defineEvent } from '../../events/event-definition.js';
import { isVisible, type Viewer, type Visibility, visibilityOf } from './visibility.js';

class Data {}
const kind = (type: string, permission: RolePermission, of: 'app' | 'organization') =>
  defineEvent({ type, title: type, description: type, permission, of, data: Data, facts: () => ({}) });

const kinds = [
  kind('app_channel_paused', 'channels:read', 'app'),
  kind('app_bundle_damaged', 'damaged-files:read', 'app'),
  kind('member_added', 'members:read', 'organization'),
  kind('webhook_disabled', 'webhooks:read', 'organization'),
];
const owner: Viewer = { organizationId: 'o', role: 'owner', limits: unscoped, teamAppIds: null };

/** The events that a viewer sees, of the apps `a` and `b` and of the organization. */
function seen(viewer: Partial<Viewer>): string[] {
  const visibility: Visibility = visibilityOf({ ...owner, ...viewer }, kinds);
  return kinds.flatMap(({ type, of }) => {
    const appIds = of === 'app' ? ['a', 'b'] : [null];
    const visible = appIds.filter((appId) => isVisible({ type, appId }, visibility));
    return visible.map((appId) => (appId === null ? type : `${type} ${appId}`));
  });
}

it('shows an owner everything', () => {
  expect(seen({})).toHaveLength(6);
});

it('shows what the role may see', () => {
  expect(seen({ role: 'viewer' })).toEqual(['app_channel_paused a', 'app_channel_paused b', 'member_added']);
  expect(seen({ role: 'billing' })).toEqual(['member_added']);
});

it('shows members the apps of their teams, and the organization', () => {
  expect(seen({ role: 'member', teamAppIds: ['b'] })).toEqual(['app_channel_paused b', 'member_added']);
  expect(seen({ role: 'member', teamAppIds: [] })).toEqual(['member_added']);
});

it('shows a token that is limited to apps these apps only', () => {
  const limits = { ...unscoped, appIds: ['a'] };
  expect(seen({ limits })).toEqual(['app_channel_paused a', 'app_bundle_damaged a']);
  expect(seen({ role: 'member', limits, teamAppIds: ['b'] })).toEqual([]);
});

it('shows a token the kinds of its permissions', () => {
  const limits = { ...unscoped, permissions: ['events:read', 'channels:read'] as const };
  expect(seen({ limits })).toEqual(['app_channel_paused a', 'app_channel_paused b']);
  expect(seen({ limits: { ...unscoped, permissions: 'read-only' } })).toHaveLength(6);
  expect(seen({ limits: { ...unscoped, organizationIds: ['other'] } })).toEqual([]);
});

it('shows no kind that there is not', () => {
  expect(isVisible({ type: 'app_unknown', appId: null }, visibilityOf(owner, kinds))).toBe(false);
});
