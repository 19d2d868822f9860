/** A response as it goes over the wire, without what Node.js adds itself. */
export interface WireResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Set by Node.js on every response. */
const OWN = new Set(['date', 'connection', 'keep-alive']);

/** The response to an update check. @throws Error unless there is an update */
export async function responseOf(origin: string, appId: string): Promise<WireResponse> {
  const query = 'platform=0&appVersionCode=10&appVersionName=1.0.0&osVersion=34&pluginVersion=8.4.3';
  const response = await fetch(`${origin}/v1/apps/${appId}/bundles/latest?${query}`);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`There is no update: ${response.status} ${body}`);
  return { headers: Object.fromEntries([...response.headers].filter(([name]) => !OWN.has(name))), body };
}
