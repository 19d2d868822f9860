import { type Actor, createMember, type Tenant, type TestMember } from '../../builders/identities.js';
import type { Role } from '../../../src/common/access/permissions.js';
import { eventually } from '../eventually.js';
import { Api } from '../http/api.js';
import { Mailbox, type ReceivedMail } from '../servers/mailbox.js';
import { OwnSite } from '../servers/own-site.js';

export const PUBLIC_URL = 'http://slipway.example.com';
/** As long as several attempts take, in milliseconds. */
const RETRIES = 40_000;

/** A server that sends mail, and the mailboxes of its users. */
export class NoticeSite {
  private constructor(
    readonly site: OwnSite,
    readonly mailbox: Mailbox,
  ) {}

  static async start(): Promise<NoticeSite> {
    const mailbox = await Mailbox.start();
    const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'Slipway <no-reply@example.com>', PUBLIC_URL };
    return new NoticeSite(await OwnSite.start(env), mailbox);
  }

  async dispose(): Promise<void> {
    await this.site.dispose();
    await this.mailbox.stop();
  }

  /** Calls as the actor, also after a restart. */
  as({ token }: Actor): Api {
    return new Api(this.site.origin, token);
  }

  /** A member who wants mails about health. */
  async watcher(tenant: Tenant, role: Role = 'member'): Promise<TestMember> {
    const member = await createMember(tenant, role, this.site);
    await this.watch(member);
    return member;
  }

  /** Lets a user get mails about health. */
  async watch(actor: Actor): Promise<void> {
    const response = await this.as(actor).patch('/v1/users/me/notices', { health: true });
    expect(response.body).toMatchObject({ health: true, mail: { available: true, reason: null } });
  }

  /** Waits for this many mails to a user, and for the queue to be empty. */
  async mailsTo({ email }: Actor, count: number): Promise<readonly ReceivedMail[]> {
    await eventually(() => expect(this.mailbox.to(email)).toHaveLength(count), RETRIES);
    await this.settle();
    expect(this.mailbox.to(email)).toHaveLength(count);
    return this.mailbox.to(email);
  }

  /** Waits until all events have their positions, and no job is left. */
  async settle(): Promise<void> {
    await eventually(async () => {
      expect(await this.site.query('SELECT id FROM events WHERE position IS NULL')).toEqual([]);
      expect(await this.site.query(`${NOTICE_JOBS} AND state IN ('created', 'retry', 'active')`)).toEqual([]);
    }, RETRIES);
  }

  /** Waits until a statement finds something. */
  async eventuallyRows(sql: string, values: unknown[]): Promise<void> {
    await eventually(async () => expect(await this.site.query(sql, values)).not.toEqual([]), RETRIES);
  }

  /** Waits until a mail to the user has failed to be sent. */
  async failedMail({ userId }: Actor): Promise<void> {
    await eventually(async () => {
      const sql = `SELECT job.id FROM queue.job JOIN notice_mails ON notice_mails.id = (job.data ->> 'id')::uuid
                    WHERE job.name = 'notice-mails' AND job.state = 'retry' AND notice_mails.user_id = $1`;
      expect(await this.site.query(sql, [userId])).toHaveLength(1);
    }, RETRIES);
  }

  /** Lets what failed be tried again, as if its wait were over. */
  async retryNow(): Promise<void> {
    await this.site.query("UPDATE queue.job SET start_after = now() WHERE state = 'retry'");
  }
}

const NOTICE_JOBS = "SELECT id FROM queue.job WHERE name IN ('notices', 'notice-mails')";
