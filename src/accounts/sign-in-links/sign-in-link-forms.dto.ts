import { FormText } from '../../pages/forms/form-text.decorator.js';

/** The secret of a sign-in link, as the address has it. */
export class SignInLinkQuery {
  @FormText(100)
  token: string = '';
}

/** The password of a user. */
export class LinkPasswordForm extends SignInLinkQuery {
  @FormText(1024)
  password: string = '';

  @FormText(1024)
  repeated: string = '';
}
