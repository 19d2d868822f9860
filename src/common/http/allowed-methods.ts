import type { Request } from 'express';

/** The part of Express's router that says which routes there are. */
interface RouterLayer {
  match(path: string): boolean;
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
}

/** The methods that some route offers at the path of the request, in upper case; empty for an unknown path. */
export function allowedMethods(request: Request): string[] {
  const { stack } = request.app.router as unknown as { stack: readonly RouterLayer[] };
  const methods = new Set<string>();
  for (const layer of stack) {
    if (layer.route === undefined || !matches(layer, request.path)) continue;
    for (const [method, offered] of Object.entries(layer.route.methods)) {
      if (offered && method !== '_all') methods.add(method.toUpperCase());
    }
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** A path that cannot be decoded matches nothing. */
function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
