import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider';
import { freePort } from '../../setup/free-port.js';
import { claimsOf, createIdToken, createSigningKey, type SigningKey } from './id-tokens.js';

export const CLIENT_ID = 'slipway';
export const PUBLIC_CLIENT_ID = 'slipway-public';
export const CLIENT_SECRET = 'a secret: of the client/100%';

/** A user whom the provider knows. */
export interface ProviderUser {
  readonly sub: string;
  readonly email: string;
  readonly claims: Record<string, unknown>;
}

/** What happens to an ID token on its way. */
export type Forgery = (claims: Record<string, unknown>, own: SigningKey) => string;

type Adapter = NonNullable<Configuration['adapter']>;

/** What the provider uses by itself, but without its warning that no one should. */
async function inMemory(): Promise<Adapter> {
  const path = 'oidc-provider/lib/adapters/memory_adapter.js';
  const module = (await import(path)) as { createMemoryAdapter: (clockTolerance: number) => Adapter };
  return module.createMemoryAdapter(0);
}

/** A real OpenID provider (`oidc-provider`) on a port of its own. Who signs in is decided by the test, not by a page. */
export class TestProvider {
  /** Who signs in next; `null` denies it. */
  user: ProviderUser | null = null;
  /** How long the codes are valid that it gives from now on. */
  codeSeconds = 60;
  /** Replaces the ID tokens that are handed out. */
  forge: Forgery | null = null;
  /** Answers in place of the provider; `true`: it did. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
  private readonly key = createSigningKey('own');
  private readonly users = new Map<string, ProviderUser>();
  private server: Server | undefined;
  private provider: Provider | undefined;

  private constructor(private readonly port: number) {}

  static async start(): Promise<TestProvider> {
    const provider = new TestProvider(await freePort());
    await provider.resume();
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The variables with which a server uses it. */
  get env(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Acme',
    };
  }

  /** A new user, who is the next to sign in. @param claims besides a confirmed address and a name */
  createUser(claims: Record<string, unknown> = {}): ProviderUser {
    const sub = randomUUID();
    const email = typeof claims['email'] === 'string' ? claims['email'] : `${sub}@example.com`;
    const user = { sub, email, claims: { email, email_verified: true, name: 'Ada Lovelace', ...claims } };
    this.users.set(sub, user);
    this.user = user;
    return user;
  }

  /** Adds claims to ID tokens, properly signed. */
  claim(claims: Record<string, unknown>): void {
    this.forge = (given, own) => createIdToken({ ...given, ...claims }, own);
  }

  /** Listens again, on the same port. */
  async resume(): Promise<void> {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.provider ??= new Provider(this.issuer, { ...this.configuration(), adapter: await inMemory() });
  }

  /** Does not answer any more. */
  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  private configuration(): Configuration {
    const client = {
      // The redirect address of a native application may have any port of the loopback address.
      application_type: 'native' as const,
      redirect_uris: ['http://127.0.0.1/login/oidc/callback'],
      grant_types: ['authorization_code'],
      response_types: ['code' as const],
    };
    const policy = interactionPolicy.base();
    // Users of native applications are asked for their consent every time.
    policy.remove('consent');
    return {
      clients: [
        {
          ...client,
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          token_endpoint_auth_method: 'client_secret_basic',
        },
        { ...client, client_id: PUBLIC_CLIENT_ID, token_endpoint_auth_method: 'none' },
      ],
      jwks: { keys: [this.key.jwk as never] },
      cookies: { keys: [randomUUID()] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { policy, url: (_context, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, ...this.users.get(id)?.claims }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      ttl: {
        AccessToken: 3600,
        AuthorizationCode: () => this.codeSeconds,
        Grant: 3600,
        IdToken: 3600,
        Interaction: 600,
        Session: 3600,
      },
    };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.intercept?.(request, response)) return;
    const provider = this.provider as Provider;
    if (request.url?.startsWith('/interaction/')) {
      await provider.interactionDetails(request, response);
      const result =
        this.user === null ? { error: 'access_denied' } : { login: { accountId: this.user.sub } };
      await provider.interactionFinished(request, response, result);
      return;
    }
    if (request.url === '/token' && this.forge !== null) this.forgeResponse(response, this.forge);
    await provider.callback()(request, response);
  }

  private forgeResponse(response: ServerResponse, forge: Forgery): void {
    const end = response.end.bind(response) as (body: unknown) => ServerResponse;
    response.end = ((body: unknown) => {
      const answer = JSON.parse(String(body)) as { id_token?: string };
      if (answer.id_token === undefined) return end(body);
      const forged = JSON.stringify({ ...answer, id_token: forge(claimsOf(answer.id_token), this.key) });
      response.setHeader('Content-Length', Buffer.byteLength(forged));
      return end(forged);
    }) as typeof response.end;
  }
}
