import { IsTextThat } from '../common/validation/satisfies.decorator.js';

/** The address of an SMTP server. The message shows nothing of it: it may hold a password. */
export function IsSmtpUrl(): PropertyDecorator {
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
