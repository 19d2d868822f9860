import { testEnvironment } from '../../setup/test-environment.js';

/** A page that a browser was shown, or the redirection that it follows by itself. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where a redirection leads. */
  readonly location: string | null;
  readonly setCookie: string | null;
}

/** As much of a browser as forms need: it keeps cookies and sends what the form of the last page holds. */
export class Browser {
  /** The cookie, as `name=value`. */
  cookie: string | null = null;
  private last: Shown | undefined;

  /** @param headers sent with every request */
  constructor(
    readonly origin = testEnvironment().origin,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Opens a page, and the one that it redirects to. */
  async open(path: string): Promise<Shown> {
    return this.follow(await this.request('GET', path));
  }

  /** Sends the form of the last page for this address with its hidden fields and these values, and follows. */
  async submit(action: string, values: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.follow(await this.send(action, { ...this.hidden(action), ...values }));
  }

  /** Sends a form as it is given. */
  send(action: string, values: Readonly<Record<string, string>>): Promise<Shown> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: this.origin };
    return this.request('POST', action, headers, new URLSearchParams(values).toString());
  }

  /** Any request, with the cookie. */
  async request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Shown> {
    const response = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: { ...this.headers, ...headers, ...(this.cookie === null ? {} : { Cookie: this.cookie }) },
      ...(body === undefined ? {} : { body }),
    });
    const setCookie = response.headers.get('set-cookie');
    if (setCookie !== null) this.cookie = setCookie.split(';', 1)[0] ?? null;
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: response.headers.get('location'),
      setCookie,
    };
  }

  /** The hidden fields of the last page's form for this address. */
  hidden(action: string): Record<string, string> {
    const start = this.last?.html.indexOf(`action="${action}"`) ?? -1;
    if (start < 0) throw new Error(`The page has no form for ${action}.`);
    const form = this.last?.html.slice(start).split('</form>', 1)[0] ?? '';
    const fields = form.matchAll(/<input\s+type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g);
    return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
  }

  private async follow(shown: Shown): Promise<Shown> {
    this.last = shown.location === null ? shown : await this.open(shown.location);
    return this.last;
  }
}
