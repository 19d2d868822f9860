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

/** What was asked for has another address: maybe it was renamed, maybe the base URL is wrong. */
export class RedirectedError extends GitServerError {
  constructor(host: string, advice: string) {
    super(`${host} redirects to another address. ${advice}`);
  }
}
