import { isApiToken } from '../common/access/api-token.js';
import { IsTextThat } from '../common/validation/satisfies.decorator.js';

/** An API token that was copied completely. The message does not repeat it. */
export function IsBootstrapToken(): PropertyDecorator {
  return IsTextThat(isApiToken, (args) =>
    /^ca_[0-9a-f]{48}$/.test(String(args.value))
      ? '$property has a wrong checksum: it was not copied completely'
      : '$property must be an API token (slipway token)',
  );
}
