import { FormText } from '../../pages/forms/form-text.decorator.js';

/** The secret of an invitation's link, as the address has it. */
export class JoinQuery {
  @FormText(100)
  token: string = '';
}

/** The password of a new account. */
export class JoinForm extends JoinQuery {
  @FormText(1024)
  password: string = '';

  @FormText(1024)
  repeated: string = '';
}
