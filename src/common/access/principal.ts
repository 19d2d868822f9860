/** Who is calling: the user behind a valid token. A class only so that decorated handlers can name it at run time. */
export abstract class Principal {
  abstract readonly userId: string;
  /** Id of the API token, or of the session. */
  abstract readonly tokenId: string;
  /** Only for a session, not for an API token. */
  abstract readonly sessionId?: string;
}
