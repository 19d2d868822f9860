import { FormText } from '../../pages/forms/form-text.decorator.js';

/** A new API token. The name follows the rules of `CreateTokenDto`. */
export class TokenForm {
  @FormText(1000)
  name: string = '';

  /** Days. */
  @FormText(10)
  expires: string = '';
}
