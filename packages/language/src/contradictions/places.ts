import { stemOf, wordSet } from '../text/stems.ts';

/** Verbs with a slot that holds one thing at a time; the verbs of a row share the same slot. */
export const VERBS: ReadonlyMap<string, string> = new Map(
  [
    'stored stores store lives live land lands end ends shipped sits located kept resides saved saves written writes go goes went put persisted uploaded',
    'hosted hosts deployed',
    'runs run running ran',
    'uses use used using',
    'built build builds bundled',
    'compressed compresses',
    'encrypted encrypts',
    'hashed hashes hash',
    'signed signs',
    'encoded encodes serialized serialised',
    'implemented',
    'points point pointing',
    'resolves resolve',
    'routed routes sent forwarded',
    'pinned pins pin',
    'backed',
    'based',
    'bound listens listening',
    'partitioned sharded',
    'sorted sorts ordered orders',
    'grouped',
    'keyed',
    'rendered',
    'generated generates created creates produced',
    'talks talk connects connected',
    'set sets defaults default configured',
    'owned owns owner owners maintained maintains maintainer',
    'returns return returned throws raises raise responds respond yields',
    'belongs',
    'falls',
    'scheduled planned',
    'merged merges',
    'read reads loaded loads',
    'validated checked verified',
    'served serves',
    'is are was were =',
  ].flatMap((row) => row.split(' ').map((word) => [word, row.split(' ')[0] ?? word] as const)),
);
const NEAR = wordSet('still now currently also always only');
const PLACES = wordSet('to in on with by at from as via through over under into using of');
/** The slot that a verb fills: the verb and its preposition; none if the verb alone says too little. */
export const keyOf = (words: readonly string[], at: number): string | undefined => {
  const verb = VERBS.get(words[at] ?? '') ?? VERBS.get(`${words[at] ?? ''}s`);
  if (verb === undefined) return passiveKey(words, at);
  const next = NEAR.has(words[at + 1] ?? '') || verb !== 'is' ? words.slice(at + 1, at + 3) : words.slice(at + 1, at + 2);
  const place = next.find((word) => PLACES.has(word)) ?? '';
  if (verb === 'owned' || (verb === 'belongs' && place === 'to')) return 'own';
  if (verb === 'returns') return 'outcome';
  if (place !== '') return `${verb}:${place}`;
  return verb === 'is' ? undefined : verb;
};

const PLACE_KINDS: ReadonlyMap<string, string> = new Map([
  ...['in', 'on', 'into', 'to', 'as', 'via', 'through', 'under', 'over'].map((word) => [word, 'place'] as const),
  ['by', 'by'],
  ['with', 'with'],
  ['using', 'with'],
  ['from', 'from'],
]);
/** "is evaluated in": a passive and its preposition form a slot, whatever the verb. */
const passiveKey = (words: readonly string[], at: number): string | undefined => {
  const kind = PLACE_KINDS.get(words[at + 1] ?? '');
  const word = words[at] ?? '';
  const passive = word.endsWith('ed') && (PASSIVES.has(words[at - 1] ?? '') || PASSIVES.has(words[at - 2] ?? ''));
  return kind !== undefined && passive ? `${stemOf(word)}:${kind}` : undefined;
};
const PASSIVES = wordSet('is are was were be been get gets got being');
