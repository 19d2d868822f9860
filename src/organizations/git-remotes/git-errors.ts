/** The git server does not accept the credential. */
export class CredentialsRefusedError extends Error {
  constructor(readonly host: string) {
    super(`${host} does not accept the credentials.`);
    this.name = 'CredentialsRefusedError';
  }
}

/** The git server cannot be used. `message` is one sentence for the user, without credentials. */
export class GitServerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GitServerError';
  }
}
