import { FormText } from '../../pages/forms/form-text.decorator.js';

/** The first code of an authenticator app. */
export class EnrolForm {
  /** The sealed secret that the page showed. */
  @FormText(1000)
  sealed: string = '';

  @FormText(100)
  code: string = '';
}
