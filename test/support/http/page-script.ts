import type { Response } from 'supertest';
import { Api } from './api.js';
import type { Browser } from './browser.js';

type Method = Parameters<Api['request']>[0];

/** A script of a page: it calls the API with the cookie of a browser and the CSRF token of the page. */
export class PageScript {
  private constructor(
    private readonly api: Api,
    private readonly cookie: string,
    readonly csrf: string,
  ) {}

  /** The script of a page that the browser, in which a person has signed in, opens now. */
  static async of(browser: Browser): Promise<PageScript> {
    await browser.open('/settings/sessions');
    const { csrf = '' } = browser.hidden('/logout');
    return new PageScript(new Api(browser.origin, null), browser.cookie ?? '', csrf);
  }

  /** As a browser sends it to the origin of its page. @param headers others, or `null` to leave one out */
  send(
    method: Method,
    path: string,
    headers: Readonly<Record<string, string | null>> = {},
    body?: object,
  ): Promise<Response> {
    const all = {
      Cookie: this.cookie,
      'X-CSRF-Token': this.csrf,
      'Sec-Fetch-Site': 'same-origin',
      ...headers,
    };
    const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
    const request = this.api.request(method, path).set(Object.fromEntries(sent));
    return Promise.resolve(body === undefined ? request : request.send(body));
  }
}
