import { OutboundRefusedError } from './outbound-refused.error.js';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'cannot be reached',
  EPROTO: 'does not speak TLS on this port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS on this port',
  HPE_HEADER_OVERFLOW: 'sends too many response headers',
  ERR_STREAM_PREMATURE_CLOSE: 'closed the connection too early',
  ECONNRESET: 'closed the connection too early',
  ERR_PROXY_TUNNEL: 'cannot be reached through the proxy of this server',
  EPIPE: 'closed the connection too early',
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/;

/** Makes one sentence of what Node.js reports about a connection. The text of `error` does not get into it. */
export function connectionFailure(host: string, error: unknown): OutboundRefusedError {
  if (error instanceof OutboundRefusedError) return error;
  const code = codeOf(error);
  if (CERTIFICATE.test(code)) {
    return new OutboundRefusedError('connection', `The certificate of ${host} is not trusted (${code}).`);
  }
  if (code.startsWith('HPE_') && REASONS[code] === undefined) {
    return new OutboundRefusedError('connection', `${host} does not send a valid HTTP response.`);
  }
  const reason = REASONS[code] ?? `cannot be called${code === '' ? '' : ` (${code})`}`;
  return new OutboundRefusedError('connection', `${host} ${reason}.`);
}

/** With several addresses, Node.js reports the failure of each. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  return errors?.[0] === undefined ? '' : codeOf(errors[0]);
}
