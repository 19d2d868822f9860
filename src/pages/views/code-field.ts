import { type Html, html } from './html.js';

/** The field `code` for a code of an authenticator app, or a recovery code. @param autofocus whether it has the focus */
export function codeField({ autofocus = false } = {}): Html {
  return html`<label>
    Code
    <span class="hint">The six digits in your authenticator app, or one of your recovery codes.</span>
    <input
      class="code"
      name="code"
      maxlength="30"
      autocomplete="one-time-code"
      autocapitalize="characters"
      spellcheck="false"
      required
      ${autofocus ? html`autofocus` : null}
    />
  </label>`;
}
