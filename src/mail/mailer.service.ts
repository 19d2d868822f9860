import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';

/** Milliseconds for connecting and for the server's greeting. */
const CONNECT_TIMEOUT = 10_000;
/** Milliseconds without a byte after which the connection is closed. */
const SILENCE_TIMEOUT = 20_000;

/** A mail to one address. */
export interface Mail {
  /** The same for every attempt to send this mail. */
  readonly id: string;
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Must load nothing from elsewhere. */
  readonly html: string;
  /** Where a POST request without a sign-in stops such mails (RFC 8058), in ASCII. @default none */
  readonly unsubscribeUrl?: string;
}

/** Sends mail through the operator's SMTP server. */
@Injectable()
export class MailerService {
  private transport: ReturnType<typeof openTransport> | undefined;

  constructor(private readonly config: Config) {}

  /** Whether mail can be sent at all. */
  get isConfigured(): boolean {
    const { smtpUrl, from } = this.config.mail;
    return smtpUrl !== null && from !== null;
  }

  /** Base URL of the pages; configured together with mail. */
  get publicUrl(): string {
    return this.config.http.publicUrl ?? '';
  }

  /** @throws Error when the server refuses it; see `mailProblem` */
  async send({ id, to, subject, text, html, unsubscribeUrl }: Mail): Promise<void> {
    const { smtpUrl, from } = this.config.mail;
    if (smtpUrl === null || from === null) throw new Error('Mail is not configured.');
    this.transport ??= openTransport(smtpUrl, from);
    const { host } = new URL(this.publicUrl);
    const transport = await this.transport;
    await transport.sendMail({
      messageId: `<${id}@${host}>`,
      // As an object: a text would be parsed, and could name several addresses.
      to: { name: '', address: to },
      subject,
      text,
      html,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl !== undefined && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    });
  }
}

/** Loads `nodemailer` with the first mail, which keeps the start fast. */
async function openTransport(url: string, from: string) {
  const { createTransport } = await import('nodemailer');
  const options = {
    url,
    connectionTimeout: CONNECT_TIMEOUT,
    greetingTimeout: CONNECT_TIMEOUT,
    socketTimeout: SILENCE_TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return createTransport(options, { from });
}

/** Why a mail was refused, in a few words without addresses and without the text of the server. */
export function mailProblem(error: unknown): string {
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number };
  return responseCode === undefined
    ? `The mail server cannot be used (${code ?? 'unknown error'}).`
    : `The mail server refused the message (${responseCode}).`;
}
