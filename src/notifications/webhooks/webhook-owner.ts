import type { App } from '../../apps/apps/app.entity.js';

/** What a webhook belongs to: an app of an organization, or the organization itself (`appId` is `null`). */
export interface WebhookOwner {
  readonly organizationId: string;
  readonly appId: string | null;
}

export function ownerOfApp({ id, organizationId }: App): WebhookOwner {
  return { organizationId, appId: id };
}

/** The owner of the webhooks that an organization has besides those of its apps. */
export function ownerOfOrganization(organizationId: string): WebhookOwner {
  return { organizationId, appId: null };
}
