import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../setup/free-port.js';

export const SMTP_USER = 'slip@way';
export const SMTP_PASSWORD = 'p%s/w:rd';

/** A message as the server got it. */
export interface ReceivedMail {
  readonly from: string;
  /** Whom it is really delivered to, whatever its headers say. */
  readonly to: readonly string[];
  /** Headers with their folding undone, by lower-case name, each with all its values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The whole message, with quoted-printable undone. */
  readonly text: string;
}

/** A real SMTP server, which wants a sign-in and keeps what it gets. */
export class Mailbox {
  readonly mails: ReceivedMail[] = [];
  private server: SMTPServer | null = null;
  /** Recipients that it refuses for good. */
  readonly refused = new Set<string>();

  private constructor(private readonly port: number) {}

  static async start(): Promise<Mailbox> {
    const mailbox = new Mailbox(await freePort());
    await mailbox.resume();
    return mailbox;
  }

  /** For `SMTP_URL`. */
  get url(): string {
    const user = `${encodeURIComponent(SMTP_USER)}:${encodeURIComponent(SMTP_PASSWORD)}`;
    return `smtp://${user}@127.0.0.1:${this.port}`;
  }

  /** Mail to an address. */
  to(email: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to.includes(email));
  }

  /** Listens, at the same port as before. */
  async resume(): Promise<void> {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === SMTP_USER && password === SMTP_PASSWORD
          ? done(null, { user: username })
          : done(new Error('wrong user or password')),
      onRcptTo: ({ address }, _session, done) =>
        this.refused.has(address) ? done(new Error('no such mailbox')) : done(),
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const message = Buffer.concat(chunks).toString('latin1');
          this.mails.push({
            from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            headers: headersOf(message),
            text: decoded(message),
          });
          done();
        });
      },
    });
    server.on('error', () => undefined);
    server.listen(this.port, '127.0.0.1');
    await once(server.server, 'listening');
    this.server = server;
  }

  /** Is not there any more, until `resume`. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server !== null) await new Promise<void>((resolve) => server.close(resolve));
  }
}

function headersOf(message: string): Map<string, string[]> {
  const [head = ''] = message.split('\r\n\r\n', 1);
  const headers = new Map<string, string[]>();
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [name = '', ...value] = line.split(':');
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value.join(':').trim()]);
  }
  return headers;
}

function decoded(message: string): string {
  const bytes = message
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
