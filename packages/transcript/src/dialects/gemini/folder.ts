import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** GEM-4: up to 0.2x a project's name is the hash of its folder, which proves whether a path is inside it. Null if none is. */
export const folderHashed = (hash: string, paths: readonly string[]): string | null => {
  if (!/^[0-9a-f]{64}$/u.test(hash)) return null;
  const tried = new Set<string>();
  for (const path of paths) {
    if (!/^(?:[/\\]|[a-zA-Z]:[/\\])/u.test(path) || path.length > LONGEST) continue;
    for (let at = path; at !== '' && !tried.has(at); at = at.slice(0, Math.max(at.lastIndexOf('/'), at.lastIndexOf('\\'), 0))) {
      tried.add(at);
      if (bytesToHex(sha256(utf8ToBytes(at))) === hash) return at;
    }
  }
  return null;
};

const LONGEST = 1024;
