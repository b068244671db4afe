export const PLACES = ['prompt', 'reply', 'thinking', 'input', 'output'] as const;
/** Which part of a conversation a text is. */
export type Place = (typeof PLACES)[number];

/** A word that stands in three messages and in no others. */
export type PlantedWord = {
  readonly word: string;
  readonly place: Place;
  readonly inAgent: boolean;
  /** What is typed to find it; the word itself unless told otherwise. */
  readonly query?: string;
};

const here = (place: Place, ...words: readonly string[]): readonly PlantedWord[] => words.map((word) => ({ word, place, inAgent: false }));
const inAgent = (place: Place, ...words: readonly string[]): readonly PlantedWord[] => words.map((word) => ({ word, place, inAgent: true }));

export const PLANTED_WORDS: readonly PlantedWord[] = [
  ...here('prompt', 'zephyrquill', 'kestrelmoon', 'qx', '量子纠缠'),
  ...here('reply', 'obsidianlark', 'tangelofrost'),
  ...here('thinking', 'marzipanfjord', 'zj', '龙卷风', 'ブリキ人形'),
  { word: 'Übermütigkeitsprobe', place: 'thinking', inAgent: false, query: 'ubermutigkeitsprobe' },
  ...here('input', 'dazzlecrank', '--yarn-planted=4711'),
  ...here('output', 'pelicanvortex', 'ERR_YARN_7781', 'src/loom/planted-file.ts:42', '구름사다리', 'wq'),
  ...inAgent('prompt', 'umbralotter', '凤凰'),
  ...inAgent('thinking', 'нетопырь'),
  ...inAgent('reply', 'brindlecoast', 'vk'),
  ...inAgent('output', 'saffronpike', 'quokkabinder'),
];

export const TIMES = 3;
