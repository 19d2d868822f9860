/** Rows that are counted at most. */
export const MAX_UNDELIVERED = 10_000;

/** SQL: when the deliveries of a webhook were made that failed, without tests, as `created_at`. */
export function undeliveredOf(webhookId: string): string {
  return `SELECT delivery.created_at FROM webhook_deliveries AS delivery
    WHERE delivery.webhook_id = ${webhookId} AND delivery.status = 'failed' AND delivery.test_payload IS NULL
    ORDER BY delivery.created_at LIMIT ${MAX_UNDELIVERED}`;
}
