import { Api } from '../support/http/api.js';
import { expectCreated } from '../support/http/expect-created.js';
import { uniqueName } from '../support/unique-name.js';

/** An API token that was made by another. */
export interface TestToken {
  readonly id: string;
  readonly token: string;
  /** Calls with it. */
  readonly api: Api;
}

/**
 * An API token of the caller's user.
 *
 * @param values limits and such; by default those of the caller's own token
 */
export async function createToken(api: Api, values: object = {}): Promise<TestToken> {
  const body = expectCreated<{ id: string; token: string }>(
    await api.post('/v1/tokens', { name: uniqueName('token'), ...values }),
  );
  return { id: body.id, token: body.token, api: new Api(api.origin, body.token) };
}
