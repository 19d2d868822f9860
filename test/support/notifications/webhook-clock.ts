import { query } from '../../setup/databases.js';

/** Where the times of webhooks are stored. */
const TIMES = [
  [
    'webhook_schedules',
    'webhook_id',
    ['due_at', 'early_at', 'rests_until', 'failing_since', 'unsuccessful_since'],
  ],
  ['webhook_deliveries', 'webhook_id', ['created_at', 'failing_since', 'last_attempt_at']],
  ['webhook_objects_aside', 'webhook_id', ['retry_at']],
] as const;

/** As if so much time had passed for a webhook: its stored times, and that of its planned run, move back. */
export async function passTime(databaseUrl: string, webhookId: string, time: number): Promise<void> {
  // A run knows its time to the millisecond.
  const milliseconds = Math.ceil(time);
  const moved = `$2::float8 * interval '1 millisecond'`;
  for (const [table, id, columns] of TIMES) {
    const changes = columns.map((column) => `${column} = ${column} - ${moved}`).join(', ');
    await query(databaseUrl, `UPDATE ${table} SET ${changes} WHERE ${id} = $1`, [webhookId, milliseconds]);
  }
  await query(
    databaseUrl,
    `UPDATE queue.job SET start_after = start_after - ${moved}, data = jsonb_set(data, '{dueAt}', to_jsonb(to_char(
       ((data ->> 'dueAt')::timestamptz - ${moved}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
     WHERE name IN ('webhook-deliveries', 'webhook-retries') AND state = 'created' AND data ->> 'webhookId' = $1::uuid::text`,
    [webhookId, milliseconds],
  );
}

/** Milliseconds until the next run of a webhook; `null`: none is planned. */
export async function untilRun(databaseUrl: string, webhookId: string): Promise<number | null> {
  const [row] = await query<{ wait: number | null }>(
    databaseUrl,
    `SELECT (extract(epoch FROM due_at - clock_timestamp()) * 1000)::float8 AS wait
       FROM webhook_schedules WHERE webhook_id = $1`,
    [webhookId],
  );
  return row?.wait ?? null;
}
