import { Refusal } from '../refusal.ts';
import { meantBy, verbsOf, type Verb } from '../registry/verbs.ts';

/** What somebody typed in a conversation. */
export type Typed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'quit' }
  | { readonly kind: 'help' }
  | { readonly kind: 'verb'; readonly verb: Verb; readonly args: readonly string[] };

/** CLI-23: a line is said as it is; one that begins with a slash is a verb of `sidebar`, with the sidebar filled in. Two slashes stand for one. */
export const readTyped = (line: string, sidebarId: string): Typed => {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('/')) return { kind: 'say', text };
  if (text.startsWith('//')) return { kind: 'say', text: text.slice(1) };
  const [word = '', ...args] = wordsOf(text.slice(1));
  if (word === 'quit' || word === 'help') return { kind: word };
  const verbs = verbsOf('sidebar');
  const verb = verbs.find((one) => one.word === (word === 'status' ? 'show' : word));
  if (verb === undefined) {
    const near = meantBy(
      word,
      verbs.map((one) => one.word),
      'sidebar',
    );
    throw new Refusal(2, `there is no /${word}${near}; /help lists what there is, and // says a slash`);
  }
  return { kind: 'verb', verb, args: filledIn(verb, args, sidebarId) };
};

/** Words separated by spaces; "several of them" in quotes are one. */
const wordsOf = (text: string): readonly string[] => [...text.matchAll(/"([^"]*)"(?=\s|$)|\S+/gu)].map(([whole, quoted]) => quoted ?? whole);

const filledIn = ({ given }: Verb, args: readonly string[], sidebarId: string): readonly string[] => {
  const [first] = given;
  if (first === undefined || !first.name.endsWith('sidebar_id')) return args;
  // `/show SB-2` is about another sidebar; `/say SB-2 is done` isn't.
  const namesAnother = given.length === 1 && args[0] !== undefined && !args[0].startsWith('-');
  return namesAnother ? args : [sidebarId, ...args];
};
