import { Browser } from '../http/browser.js';

/** What a server has answered. */
export interface PageResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

const MAX_REDIRECTIONS = 20;

/** A browser that moves between Slipway and an OpenID provider: it keeps the cookies of both, and follows redirections. */
export class Visitor {
  private readonly jars = new Map<string, Map<string, string>>();

  /** @param origin of Slipway */
  constructor(readonly origin: string) {}

  /** Goes where an address leads, in the end. @param until stops before this path is asked for */
  async follow(address: string, until?: string): Promise<PageResponse> {
    let url = new URL(address, this.origin).href;
    for (let count = 0; count < MAX_REDIRECTIONS; count++) {
      const answer = await this.get(url);
      const location = answer.headers.get('location');
      if (location === null) return answer;
      url = new URL(location, url).href;
      if (until !== undefined && new URL(url).pathname === until) return { ...answer, url };
    }
    throw new Error(`${address} leads nowhere.`);
  }

  /** Signs in at the provider. @returns the page in the end */
  signIn(next = ''): Promise<PageResponse> {
    return this.follow(`/login/oidc?next=${encodeURIComponent(next)}`);
  }

  /** Signs in at the provider, and stops there. @returns the address to which it sends the browser back */
  async signInUntilCallback(): Promise<URL> {
    return new URL((await this.follow('/login/oidc', '/login/oidc/callback')).url);
  }

  /** Asks for one address, without following. */
  async get(address: string): Promise<PageResponse> {
    const url = new URL(address, this.origin);
    const jar = this.jar(url.origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: cookie, Accept: 'text/html' },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0\b/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return {
      url: url.href,
      status: response.status,
      headers: response.headers,
      html: await response.text(),
    };
  }

  /** The cookies of Slipway, or of another origin. */
  jar(origin = this.origin): Map<string, string> {
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    return jar;
  }

  /** The page cookie of Slipway. */
  get cookie(): string {
    return this.jar().get('slipway') ?? '';
  }

  /** The same visitor, to send forms with. */
  browser(): Browser {
    const browser = new Browser(this.origin);
    browser.cookie = `slipway=${this.cookie}`;
    return browser;
  }
}
