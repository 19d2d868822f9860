import { FormText } from '../../../pages/forms/form-text.decorator.js';

/** The token of the link in a mail. */
export class UnsubscribeQuery {
  @FormText(100)
  token: string = '';
}
