import { IsIn } from 'class-validator';
import { FormText } from '../../pages/forms/form-text.decorator.js';

/** The secret of an invitation's link, as the address has it. */
export class JoinQuery {
  @FormText(100)
  token: string = '';
}

/** What the invited user decides. */
export class JoinDecisionForm extends JoinQuery {
  @IsIn(['accept', 'decline'], { message: '$property must be accept or decline.' })
  decision!: 'accept' | 'decline';
}

/** The password of a new account. */
export class JoinForm extends JoinQuery {
  @FormText(1024)
  password: string = '';

  @FormText(1024)
  repeated: string = '';
}
