import type { Plugin } from 'esbuild';

type Origin = { readonly name: string; readonly file: string };

export declare const directImports: (root: string) => Plugin;
export declare const redirected: (source: string, path: string, indexOf: (name: string) => ReadonlyMap<string, Origin>) => string;
