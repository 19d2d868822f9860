import type { RequestOrigin } from '../request-origin/request-origin.js';
import type { TokenScope } from './token-scope.js';

/** Who is calling: the user behind a valid token. A class only so that decorated handlers can name it at run time. */
export abstract class Principal {
  abstract readonly userId: string;
  /** Id of the API token, or of the session. */
  abstract readonly tokenId: string;
  /** Where the request comes from; the access guard adds it. */
  abstract readonly origin?: RequestOrigin;
  /** Whether the request is other than GET and HEAD; the access guard adds it. */
  abstract readonly writes?: boolean;
  /** What the token allows at most, of what the user may do. */
  abstract readonly limits: TokenScope;
  /** Only for a session, not for an API token. */
  abstract readonly sessionId?: string;
  /**
   * When a second factor was proved, here or at the OpenID provider: for the session, or by who made the API token;
   * `null`: never.
   */
  abstract readonly secondFactorAt?: Date | null;
  /** How the user signed in, for the session or to create the API token; `null`: not known. */
  abstract readonly method?: 'password' | 'oidc' | null;
  /** Of a session: when its user last proved their identity; `null`: not known. */
  abstract readonly provedAt?: Date | null;
}
