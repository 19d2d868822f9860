import { IsTextThat } from '../common/validation/satisfies.decorator.js';

/** The address of a PostgreSQL database. The message shows nothing of it: it may hold a password. */
export function IsPostgresUrl(): PropertyDecorator {
  return IsTextThat(
    isPostgresUrl,
    '$property must be postgres://user:password@host:5432/name, special characters in user and password percent-encoded',
  );
}

function isPostgresUrl(text: string): boolean {
  // The driver takes a URL without a host, too: that of a Unix socket is in the query.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  if (!/^postgres(ql)?:\/\/./.test(text) || url === null) return false;
  const { username, password, hash } = url;
  try {
    return hash === '' && decodeURIComponent(username + password) !== null;
  } catch {
    return false;
  }
}
