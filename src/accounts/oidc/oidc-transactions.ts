import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { databaseNow } from '../../common/database-clock.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { Config } from '../../config/config.js';
import type { Authorization } from './oidc-provider.js';
import type { Visit } from '../../pages/views/page.js';
import { readPageCookie, writePageCookie } from '../../pages/requests/page-cookie.js';
import type { ReturnPath } from '../../pages/views/site-map.js';

const COOKIE = 'slipway-oidc';
/** Time to answer everything that the provider asks. */
const VALID_FOR_MS = 10 * 60_000;

/** A sign-in in progress at the OpenID provider. */
export interface OidcTransaction extends Authorization {
  /** The page to go to afterwards. */
  readonly next: ReturnPath;
}

/** Keeps a sign-in in a sealed cookie while the browser is at the provider: one at a time, each used once. */
@Injectable()
export class OidcTransactions {
  constructor(
    private readonly config: Config,
    private readonly box: SecretBox,
  ) {}

  /** Stores a sign-in for ten minutes, for this visitor only. */
  store(request: Request, response: Response, visit: Visit, transaction: OidcTransaction): void {
    const text = JSON.stringify({ ...transaction, expires: databaseNow(VALID_FOR_MS).getTime() });
    const sealed = this.box.seal(text, contextOf(visit));
    writePageCookie(this.config.http, request, response, sealed, COOKIE, VALID_FOR_MS);
  }

  /**
   * Takes the sign-in, which removes it. One with another state stays: a second tab may have started it.
   *
   * @param state the state that the provider sends back
   * @returns `null` when there is none, or it is forged, another visitor's or too old
   */
  take(request: Request, response: Response, visit: Visit, state: string | null): OidcTransaction | null {
    const sealed = readPageCookie(this.config.http, request, COOKIE);
    const transaction = sealed === null ? null : this.open(sealed, visit);
    if (transaction === null || transaction.state !== state) return null;
    writePageCookie(this.config.http, request, response, '', COOKIE, 0);
    return transaction;
  }

  private open(sealed: string, visit: Visit): OidcTransaction | null {
    let opened: string;
    try {
      opened = this.box.open(sealed, contextOf(visit));
    } catch {
      return null;
    }
    const { expires, ...transaction } = JSON.parse(opened) as OidcTransaction & { readonly expires: number };
    return expires > databaseNow().getTime() ? transaction : null;
  }
}

function contextOf(visit: Visit): string {
  return `oidc:${visit.csrf}`;
}
