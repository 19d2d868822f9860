import { sharePath } from '../build-shares/share-path.js';
import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import { html } from '../../pages/views/html.js';
import { postForm } from '../../pages/views/layout.js';
import type { Page, Visit } from '../../pages/views/page.js';

/** Asks for the password, and shows nothing of the build. Its form needs the origin of the page, so it keeps the usual `Referrer-Policy`. */
export function passwordPage(visit: Visit, id: string, failure?: Failure): Page {
  const body = html`<h1>This page has a password</h1>
    ${failureNotice(failure)}
    <p>The person who sent you the address of this page knows it.</p>
    ${postForm(
      visit,
      sharePath(id),
      html`<label>
          Password
          <input type="password" name="password" maxlength="256" autocomplete="off" autofocus required />
        </label>
        <button>Open</button>`,
    )}`;
  return { title: 'This page has a password', body, ...statusOf(failure) };
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
