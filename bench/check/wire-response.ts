/** A response as it goes over the wire, without what Node.js adds itself. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Set by Node.js on every response. */
const OWN = new Set(['date', 'connection', 'keep-alive']);

/** The response to an update check. @throws Error unless there is an update */
export async function responseOf(origin: string, appId: string): Promise<WireResponse> {
  const query = 'platform=0&appVersionCode=10&appVersionName=1.0.0&osVersion=34&pluginVersion=8.4.3';
  const response = await fetchWire(`${origin}/v1/apps/${appId}/bundles/latest?${query}`);
  if (response.status !== 200) throw new Error(`There is no update: ${response.status} ${response.body}`);
  return response;
}

/** The response to a GET request. */
export async function fetchWire(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<WireResponse> {
  const response = await fetch(url, { headers });
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !OWN.has(name))),
    body: await response.text(),
  };
}
