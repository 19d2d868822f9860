import { IsEmail, IsOptional } from 'class-validator';
import { Env } from '../env.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';

/** Mail to people. */
export class MailConfig {
  /**
   * SMTP server for email to people, such as invitations. Without `smtps`, Slipway uses STARTTLS if the server
   * offers it; `?requireTLS=true` requires it. Needs `MAIL_FROM` and `PUBLIC_URL`.
   *
   * @default none: no email is sent
   * @values `smtp://user:password@host:587` or `smtps://user:password@host:465`, special characters
   *   percent-encoded
   */
  @Env('SMTP_URL', { secret: true })
  @IsOptional()
  @IsSmtpUrl()
  smtpUrl: string | null = null;

  /**
   * Sender of email.
   *
   * @values an address, or `Slipway <no-reply@example.com>`
   */
  @Env('MAIL_FROM')
  @IsOptional()
  @IsEmail(
    { allow_display_name: true, require_tld: false },
    { message: '$property must be an e-mail address, or a name and an address in angle brackets' },
  )
  from: string | null = null;
}

/** The address of an SMTP server. The message shows nothing of it: it may hold a password. */
function IsSmtpUrl(): PropertyDecorator {
  return IsTextThat(
    isSmtpUrl,
    '$property must be smtp:// or smtps:// with a host, special characters in user and password percent-encoded',
  );
}

function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password, pathname } = new URL(text);
  try {
    return hostname !== '' && pathname.length <= 1 && decodeURIComponent(username + password) !== null;
  } catch {
    return false;
  }
}
