import { newLimits } from '../limits.js';
import { HostResolver } from '../../../src/common/http/outbound/host-resolver.js';
import { Outbound } from '../../../src/common/http/outbound/outbound.js';
import { Config } from '../../../src/config/config.js';

/** The outbound guard, allowed to call the servers of a test. */
export function localOutbound(): Outbound {
  const config = new Config();
  config.outbound.allow = '127.0.0.1';
  return new Outbound(config, new HostResolver(newLimits()));
}
