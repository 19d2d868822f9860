import { QueryText } from '../../common/validation/query-text.decorator.js';
import { SignedAddressQuery } from '../signed-downloads/signed-address-query.dto.js';

/** The file name of a download. */
export class FileNameQuery {
  /** File name for `Content-Disposition`; by default the artifact's own. */
  @QueryText()
  fileName?: string;
}

/** A download, with the parameters of a signed address. */
export class DownloadArtifactQuery extends SignedAddressQuery {
  /** File name for `Content-Disposition`; by default the artifact's own. */
  @QueryText()
  fileName?: string;
}
