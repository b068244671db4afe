import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The page's files. Requests never become paths: they are only looked up among the names found here (SEC-17). */
export type Page = {
  /** The document, for every address of the page. The nonce is new for each answer. */
  readonly document: (asked: { readonly host: string; readonly nonce: string }) => Response;
  /** A file by its address's path; null if there is none. */
  readonly file: (path: string, acceptEncoding: string | undefined) => Response | null;
};

/** Reads the whole built page: replacing it while the server runs must not mix two builds. Null if it isn't built. */
export const loadPage = (folder: string): Page | null => {
  const found = filesBelow(folder);
  const template = found.get(DOCUMENT)?.toString('utf8');
  if (template === undefined) return null;
  return {
    document: ({ host, nonce }) => {
      const body = Buffer.from(template.replaceAll(NONCE, nonce));
      return new Response(body, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-length': String(body.length),
          'content-security-policy': policyFor(host, nonce),
          'cross-origin-opener-policy': 'same-origin',
          'permissions-policy': NOTHING_PERMITTED,
        },
      });
    },
    file: (path, acceptEncoding) => {
      const plain = path === DOCUMENT || isPacked(path) ? undefined : found.get(path);
      if (plain === undefined) return null;
      // SRV-10: gzip is rarely requested and quickly made: including it would make the package a third larger.
      const gzipped = `${path}.gz`;
      const isPackable = found.has(`${path}.br`);
      if (isPackable && !found.has(gzipped) && !isAccepted('br', acceptEncoding) && isAccepted('gzip', acceptEncoding))
        found.set(gzipped, gzipSync(plain));
      const packed = ENCODINGS.find(({ name, suffix }) => found.has(`${path}${suffix}`) && isAccepted(name, acceptEncoding));
      const body = packed === undefined ? plain : (found.get(`${path}${packed.suffix}`) ?? plain);
      return new Response(new Uint8Array(body), {
        headers: {
          'content-type': TYPES.get(extname(path)) ?? 'application/octet-stream',
          'content-length': String(body.length),
          'content-security-policy': FILE_POLICY,
          ...(isPackable ? { vary: 'accept-encoding' } : {}),
          ...(packed === undefined ? {} : { 'content-encoding': packed.name }),
          // The name includes a hash of the content.
          ...(path.startsWith('/assets/') ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
        },
      });
    },
  };
};

/** SRV-8: whether a browser at this address should get the page, which decides by itself what to show. */
export const isOfPage = (path: string, accept: string | undefined): boolean => {
  const [, first = ''] = path.split('/');
  const last = path.slice(path.lastIndexOf('/') + 1);
  return !OTHERS.has(first) && !/\.[a-z0-9]{1,8}$/iu.test(last) && (path === '/' || /(?:^|[\s,])text\/html\b/iu.test(accept ?? ''));
};

/** SEC-16: scripts and styles from here, styles also by the nonce, nothing from anywhere else. */
const policyFor = (host: string, nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // Not every browser accepts ws: for 'self'.
    `connect-src 'self' ws://${host}`,
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** A worker has the policy of its own file. */
const FILE_POLICY = "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const NOTHING_PERMITTED = ['camera', 'clipboard-read', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ');

const filesBelow = (folder: string): Map<string, Buffer> => {
  const found = new Map<string, Buffer>();
  let bytes = 0;
  for (const path of pathsBelow(folder)) {
    bytes += statSync(path).size;
    if (bytes > MOST_BYTES) throw new Error(`the page in ${folder} has more than ${MOST_BYTES} bytes; that is no page of Yarnboard`);
    found.set(`/${relative(folder, path).split(sep).join('/')}`, readFileSync(path));
  }
  return found;
};

const pathsBelow = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
};

const isPacked = (path: string): boolean => ENCODINGS.some(({ suffix }) => path.endsWith(suffix));

/** RFC 9110, 12.5.3: q=0 excludes a name; `*` means every name not listed. */
const isAccepted = (name: string, header: string | undefined): boolean => {
  const wishes = (header ?? '').split(',').map((part) => {
    const [coding = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    return { coding, isWanted: !parameters.some((word) => /^q=0(?:\.0*)?$/u.test(word)) };
  });
  return (wishes.find(({ coding }) => coding === name) ?? wishes.find(({ coding }) => coding === '*'))?.isWanted ?? false;
};

const DOCUMENT = '/index.html';
const NONCE = '__NONCE__';
/** Addresses that are answered elsewhere. */
const OTHERS: ReadonlySet<string> = new Set(['api', 'ws', 'mcp', 'healthz', 'metrics', 'assets', 'downloads']);
/** The smaller one first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;
const MOST_BYTES = 64 * 1024 * 1024;
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.wasm', 'application/wasm'],
  ['.webmanifest', 'application/manifest+json'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
]);
