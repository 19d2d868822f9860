/**
 * SQL: whether a webhook gets an event, with `events AS event` and `webhooks AS webhook`. An app's webhook gets the events
 * of its app; an organization's those of the organization and all its apps. A filter by app or channel leaves out events
 * that concern none. An event from before a transfer of its app belongs to the organization that the app has left.
 */
export const matchesWebhook = `(
  webhook.enabled
  AND webhook.organization_id = event.organization_id
  AND (webhook.app_id IS NULL OR webhook.app_id = event.app_id)
  AND (webhook.app_ids = '{}' OR event.app_id = ANY (webhook.app_ids))
  AND (webhook.channel_ids = '{}' OR event.channel_id = ANY (webhook.channel_ids))
  AND (event.type = ANY (webhook.events) OR '*' = ANY (webhook.events))
)`;
