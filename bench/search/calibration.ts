import { labelledDocuments, labelledQueries } from './labelled.ts';

/**
 * SEM-7: what a model behind an endpoint is calibrated with (packages/language/embedding/calibration.json): the questions of the tuning half, the conversations
 * they are about, and one of twelve of the other texts. Names are a matter of words, and are not among the questions.
 */
export const calibrationText = (): string => {
  const documents = labelledDocuments().filter(({ role }) => role !== 'tool');
  const tuning = labelledQueries().filter(({ half, kind }) => half === 'tuning' && kind !== 'identifier');
  const asked = new Set(labelledQueries().flatMap(({ answers }) => sessionsOf(answers)));
  const others = documents.filter(({ sessionId }) => !asked.has(sessionId));
  const some = others.filter((_, at) => at % EVERY === 0);
  const texts = [
    ...documents.filter(({ sessionId }) => asked.has(sessionId)).map(({ text, sessionId }) => ({ text, session: sessionId })),
    ...some.map(({ text }) => ({ text, session: null })),
  ];
  const questions = tuning.map(({ text, answers }) => ({ text, sessions: sessionsOf(answers) }));
  const rows = (list: readonly object[]): string => list.map((one) => JSON.stringify(one)).join(',\n');
  const weight = Math.round((others.length / some.length) * 100) / 100;
  return `{"weight":${weight},\n"questions":[\n${rows(questions)}],\n"texts":[\n${rows(texts)}]}\n`;
};

const sessionsOf = (answers: Readonly<Record<string, unknown>>): readonly string[] => [
  ...new Set(Object.keys(answers).map((id) => id.slice(0, id.lastIndexOf('/')))),
];

const EVERY = 12;
