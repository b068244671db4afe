import { isAbsolute, join } from 'node:path';
import { definitionsIn, isCode, type Definition } from './code-text.ts';
import { isCleanPath } from './denied.ts';
import { needsRoot, nothing, OUT_OF_REACH, type Answer, type ArgumentsOf, type Surroundings, type Validator } from './port.ts';
import { searchFiles } from './search.ts';

type Args = ArgumentsOf<'code_structure'>;
type Code = { readonly shown: string; readonly path: string; readonly stamp: string; readonly definitions: readonly Definition[] };

export const codeStructure: Validator<Args> = {
  type: 'code_structure',
  reads: 'Source files in the folders you named, as text: nothing is run or loaded.',
  risk: 'low',
  methods: [
    { name: 'definition', environment: 'project', missing: needsRoot, run: (args, around) => definition(args, around) },
    { name: 'exports', environment: 'project', missing: needsRoot, run: (args, around) => exported(args, around) },
    { name: 'other_files', environment: 'project', missing: needsRoot, run: (args, around) => otherFiles(args, around) },
  ],
};

const definition = async (args: Args, around: Surroundings): Promise<Answer> => {
  const code = await codeOf(args, around);
  if ('says' in code) return code;
  const files = [{ path: code.path, stamp: code.stamp }];
  const found = definedIn(code, args.symbol);
  if (found.length === 0) return { says: 'refutes', isDecisive: true, evidence: `${code.shown}: not defined`, files };
  const evidence = found
    .slice(0, 3)
    .map((one) => `${code.shown}:${one.line} ${one.kind}`)
    .join(', ');
  if (args.kind !== null && !found.some((one) => isKind(one.kind, args.kind ?? ''))) return nothing(`defined, but not as ${args.kind}`, evidence);
  return { says: 'supports', isDecisive: args.kind !== 'export', evidence, files };
};

const exported = async (args: Args, around: Surroundings): Promise<Answer> => {
  if (args.kind !== 'export') return nothing('the claim is not about exports');
  const code = await codeOf(args, around);
  if ('says' in code) return code;
  const files = [{ path: code.path, stamp: code.stamp }];
  const found = definedIn(code, args.symbol);
  if (found.length === 0) return nothing('it is not defined there');
  const isOut = found.some((one) => one.isExported);
  return { says: isOut ? 'supports' : 'refutes', isDecisive: true, evidence: `${code.shown}: ${isOut ? 'exported' : 'not exported'}`, files };
};

/** Finds other files that define the name: the claim may have meant one of them. If it names no file, this is the answer. */
const otherFiles = async (args: Args, around: Surroundings): Promise<Answer> => {
  const { reach, signal } = around;
  const { found, isWhole } = await searchFiles(reach, isCode, { signal, most: MOST_FILES });
  const places: string[] = [];
  let isRead = isWhole;
  for (const { path, isFolder } of found) {
    if (isFolder) continue;
    if (signal.aborted || places.length >= MOST_PLACES) {
      isRead = false;
      break;
    }
    const read = await reach.read(path);
    // A file that doesn't contain the name as text need not be parsed.
    if (read.kind !== 'text' || !read.text.includes(lastOf(args.symbol))) continue;
    const first = (definitionsIn(path, read.text) ?? []).find(({ name }) => name === lastOf(args.symbol));
    if (first !== undefined) places.push(`${reach.shown(path)}:${first.line}`);
  }
  if (args.file === null) {
    if (places.length > 0) return { says: 'supports', isDecisive: true, evidence: places.slice(0, 3).join(', ') };
    return isRead
      ? { says: 'refutes', isDecisive: true, evidence: 'defined nowhere in the folders that may be read' }
      : nothing('too many files to look at all');
  }
  const named = args.file.replace(/^\.\//u, '');
  const others = places.filter((place) => !place.replace(/:\d+$/u, '').endsWith(named));
  return others.length === 0 ? nothing('nowhere else') : { says: 'nothing', evidence: others.slice(0, 3).join(', '), foundAt: others };
};

const codeOf = async ({ file }: Args, { reach }: Surroundings): Promise<Code | Answer> => {
  if (file === null) return nothing('the claim names no file');
  if (!isCleanPath(file)) return nothing(OUT_OF_REACH);
  const path = isAbsolute(file) ? file : reach.base === null ? null : join(reach.base, file);
  if (path === null) return nothing('the session has no folder that may be read');
  const read = await reach.read(path);
  if (read.kind === 'denied') return nothing(OUT_OF_REACH);
  if (read.kind === 'unreadable') return nothing(read.why);
  if (read.kind !== 'text') return nothing('there is no such file');
  const definitions = definitionsIn(path, read.text);
  return definitions === null
    ? nothing('a language that is not read')
    : { shown: reach.shown(read.path), path: read.path, stamp: read.stamp, definitions };
};

/** `Cache.get` matches a `get` in a file that also has a `Cache`. */
const definedIn = ({ definitions }: Code, symbol: string): readonly Definition[] => {
  const parts = symbol.split(/\.|::|#/u);
  const around = parts.slice(0, -1).every((part) => definitions.some(({ name }) => name === part));
  return around ? definitions.filter(({ name }) => name === parts.at(-1)) : [];
};

const lastOf = (symbol: string): string => symbol.split(/\.|::|#/u).at(-1) ?? symbol;

const isKind = (found: string, claimed: string): boolean => (ALIKE[claimed] ?? [claimed]).includes(found);

/** The kinds of definition that people may mean by each word. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  function: ['function', 'method', 'constant', 'property', 'macro'],
  method: ['method', 'function', 'property'],
  hook: ['function', 'constant'],
  component: ['function', 'class', 'constant'],
  class: ['class', 'struct'],
  interface: ['interface', 'type', 'class'],
  type: ['type', 'interface', 'class', 'struct', 'enum'],
  enum: ['enum', 'struct', 'class'],
  struct: ['struct', 'type', 'class'],
  trait: ['struct', 'class'],
  constant: ['constant', 'macro', 'property'],
  variable: ['constant', 'property'],
  decorator: ['function', 'constant'],
  export: ['function', 'class', 'interface', 'type', 'enum', 'constant', 'method', 'property', 'struct', 'macro'],
};
const MOST_FILES = 2000;
const MOST_PLACES = 10;
