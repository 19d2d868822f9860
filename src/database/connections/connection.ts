import pg from 'pg';
import { orAfter } from '../../common/background/or-after.js';

/** Milliseconds in which an answer must arrive after the time in which PostgreSQL ends the statement. */
const ON_ITS_WAY = 5000;
/** Milliseconds in which a connection must answer that may be dead. */
const DOUBTED_LIMIT = 5000;
/** Milliseconds after an answer in which a connection counts as alive. */
const TRUSTED_FOR = 5000;
/** Milliseconds in which a connection that works answers an empty statement. */
const PROBE_LIMIT = 2000;

/**
 * A connection that does not wait for ever. A firewall that forgets a connection drops its packets, and the system notices
 * after a quarter of an hour. So each statement has a limit: the time limit that PostgreSQL has for it, and some seconds.
 * Then the connection is cut, as if it had broken. A statement without a time limit has none here, either.
 */
export class Connection extends pg.Client {
  private readonly usualTimeout: number;
  /** The time limit of the statements in the running transaction, in milliseconds; `null`: the usual one. */
  private longerTimeout: number | null = null;
  private isDoubted = false;
  private unanswered = 0;
  private timer: NodeJS.Timeout | undefined;
  /** When PostgreSQL answered last, in milliseconds of `performance.now()`. */
  private answeredAt = performance.now();
  private cutOff = false;

  constructor(config: pg.ClientConfig) {
    super(config);
    this.usualTimeout = Number(config.statement_timeout ?? 0);
    // The pool does not listen while it is lent and not used yet.
    this.on('error', () => undefined);
    this.connection.on('readyForQuery', ({ status }: { status: string }) => this.answered(status));
    const query = this.query.bind(this) as (...statement: unknown[]) => unknown;
    Object.assign(this, {
      query: (...statement: unknown[]) => {
        this.unanswered++;
        if (this.unanswered === 1) this.limit();
        return query(...statement);
      },
    });
  }

  /** Whether it has answered a moment ago, or answers now. */
  async isAlive(): Promise<boolean> {
    if (this.cutOff) return false;
    if (performance.now() - this.answeredAt < TRUSTED_FOR) return true;
    const answer = this.query('SELECT 1').then(
      () => true,
      () => false,
    );
    return orAfter(answer, PROBE_LIMIT, false);
  }

  /** Gives each statement of the running transaction so many milliseconds. */
  async allow(milliseconds: number): Promise<void> {
    await this.query(`SET LOCAL statement_timeout = ${milliseconds}`);
    this.longerTimeout = milliseconds;
  }

  /** Cuts it unless it answers soon, except in a transaction whose statements take long. */
  doubt(): void {
    // The time continues from the first doubt.
    if (this.isDoubted) return;
    this.isDoubted = true;
    if (this.unanswered > 0) this.limit();
  }

  /** Ends it without a word to the other side: what waits for an answer fails. */
  cut(): void {
    this.cutOff = true;
    this.connection.stream.destroy();
  }

  private answered(status: string): void {
    this.answeredAt = performance.now();
    this.isDoubted = false;
    this.unanswered = Math.max(0, this.unanswered - 1);
    // Outside of transactions.
    if (status === 'I') this.longerTimeout = null;
    this.limit();
  }

  private limit(): void {
    clearTimeout(this.timer);
    const timeout = this.longerTimeout ?? this.usualTimeout;
    if (this.unanswered === 0 || timeout === 0) return;
    const isShort = this.isDoubted && this.longerTimeout === null;
    this.timer = setTimeout(() => this.cut(), isShort ? DOUBTED_LIMIT : timeout + ON_ITS_WAY).unref();
  }
}
