import type { QueryRunner } from 'typeorm';

/** What a transaction announces to all processes when it is committed, with `announce` of the database. */
export interface Announcement {
  /** A channel of PostgreSQL's `NOTIFY`. */
  readonly topic: string;
  readonly payload: string;
}

type Listener = (topic: string, payload: string) => void;

let listener: Listener | null = null;

/** Subscribes to what transactions of requests to this process announce, right after their commit. There is one listener. */
export function onAnnouncement(subscribed: Listener): void {
  listener = subscribed;
}

/** What the running transaction of a request announces, each once. */
export async function readAnnouncements(runner: QueryRunner): Promise<Announcement[]> {
  const [row] = (await runner.query(`SELECT current_setting('slipway.announced', true) AS lines`)) as {
    lines: string | null;
  }[];
  const lines = (row?.lines ?? '').split('\n').slice(0, -1);
  return lines.map((line) => {
    const end = line.indexOf(' ');
    return { topic: line.slice(0, end), payload: line.slice(end + 1) };
  });
}

/** To be called as soon as they are committed. */
export function notifyOf(announcements: readonly Announcement[]): void {
  for (const { topic, payload } of announcements) listener?.(topic, payload);
}
