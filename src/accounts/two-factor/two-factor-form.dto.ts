import { FormText } from '../../pages/forms/form-text.decorator.js';

/** Why the visitor was sent to the page. */
export class TwoFactorQuery {
  /** `yes`: an organization of the visitor requires a second factor. */
  @FormText(10)
  required: string = '';
}

/** The first code of an authenticator app. */
export class EnrolForm {
  /** The sealed secret that the page showed. */
  @FormText(1000)
  sealed: string = '';

  @FormText(100)
  code: string = '';
}
