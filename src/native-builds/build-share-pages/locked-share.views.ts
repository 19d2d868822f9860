import { sharePath } from '../build-shares/share-path.js';
import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import { html } from '../../pages/views/html.js';
import { postForm } from '../../pages/views/layout.js';
import type { Page, Visit } from '../../pages/views/page.js';
import { ORIGIN_ONLY } from './page-context.js';

/**
 * Asks for the password, and shows nothing of the build. Its form needs the origin of the page, so it sends that as referrer.
 *
 * @param udid of the device that was led here; it is looked for when the password is right
 */
export function passwordPage(visit: Visit, id: string, udid: string | null, failure?: Failure): Page {
  const action = udid === null ? sharePath(id) : `${sharePath(id)}?udid=${encodeURIComponent(udid)}`;
  const body = html`<h1>This page has a password</h1>
    ${failureNotice(failure)}
    <p>The person who sent you the address of this page knows it.</p>
    ${udid === null ? null : html`<p>After the password, the page checks this device.</p>`}
    ${postForm(
      visit,
      action,
      html`<label>
          Password
          <input type="password" name="password" maxlength="256" autocomplete="off" autofocus required />
        </label>
        <button>Open</button>`,
    )}`;
  const { status = 200, headers } = statusOf(failure);
  const policy = udid === null ? 'same-origin' : ORIGIN_ONLY;
  return {
    title: 'This page has a password',
    body,
    status,
    headers: { ...headers, 'Referrer-Policy': policy },
  };
}

/** For a share that never was, has expired or was deleted: nothing says which. */
export function missingSharePage(): Page {
  const body = html`<h1>There is nothing here any more</h1>
    <p>
      The address is wrong, or the page has expired or was taken down. Ask the person who sent it to you for
      another one.
    </p>`;
  return { title: 'Page not found', body, status: 404, headers: { 'Referrer-Policy': 'no-referrer' } };
}
